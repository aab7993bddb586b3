#pragma once

#include <string>

namespace dealer::cli {

inline constexpr const char* kPictureHelp = "Also write the picture: .svg, or .png if rsvg-convert is installed";

// Writes a picture as SVG, or as PNG if the file name ends in .png. Throws UsageError for other
// endings than .svg and .png, FileError.
void write_picture(const std::string& file, const std::string& svg);

}  // namespace dealer::cli
