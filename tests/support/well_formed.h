#pragma once

#include <string>
#include <string_view>

namespace dealer::test {

// The first error of a document as XML (a line "<!DOCTYPE html>" is allowed), or nothing: tags that close each other,
// one root, attributes once each and quoted, '&' and '<' in text escaped, UTF-8.
std::string xml_fault(std::string_view document);

}  // namespace dealer::test
