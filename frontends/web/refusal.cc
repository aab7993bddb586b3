#include "frontends/web/refusal.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "agents/remote/protocol.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"

namespace dealer::web {
namespace {

constexpr std::string_view kBeforePaths = " '\"(=[", kAfterPaths = " '\",:;)]";

// The end of the folders of a path that begins here: behind its last slash; `from` if no path begins here.
std::size_t end_of_folders(std::string_view text, std::size_t from) {
  if (text[from] != '/' || (from > 0 && kBeforePaths.find(text[from - 1]) == std::string_view::npos)) return from;
  // The folder of the data may have blanks in its name.
  for (const std::filesystem::path& folder : data_folders()) {
    const std::string known = folder.string() + '/';
    if (known.size() > 2 && text.substr(from).starts_with(known)) return from + known.size();
  }
  const std::size_t end = std::min(text.find_first_of(kAfterPaths, from), text.size());
  if (end < from + 2) return from;
  // Of a folder itself the name is left, too.
  return text.rfind('/', end - 2) + 1;
}

}  // namespace

std::string page_text(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  std::string shown;
  for (std::size_t i = 0; i < line.size();) {
    i = end_of_folders(line, i);
    if (i < line.size()) shown += line[i++];
  }
  return shown;
}

std::string refusal_of(const std::string& why, const nlohmann::json& message, const char* kind) {
  const nlohmann::json id = message.is_object() ? message.value("id", nlohmann::json()) : nlohmann::json();
  std::string line;
  remote::write_error(kind, page_text(why), id.is_number_unsigned() ? id.get<std::uint64_t>() : 0, line);
  return line;
}

std::string refusal_of(const std::function<void()>& what, const nlohmann::json& message) {
  try {
    what();
  } catch (const UsageError& error) {
    return refusal_of(error.what(), message);
  } catch (const std::exception& error) {
    return refusal_of(error.what(), message, "failed");
  }
  return {};
}

}  // namespace dealer::web
