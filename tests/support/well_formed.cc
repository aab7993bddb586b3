#include "tests/support/well_formed.h"

#include <regex>
#include <set>
#include <vector>

namespace dealer::test {
namespace {

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int more = lead < 0x80                   ? 0
                     : lead >= 0xc2 && lead < 0xe0 ? 1
                     : lead >= 0xe0 && lead < 0xf0 ? 2
                     : lead >= 0xf0 && lead < 0xf5 ? 3
                                                   : -1;
    if (more < 0) return false;
    for (int k = 0; k < more; ++k)
      if (++i == text.size() || (static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) return false;
  }
  return true;
}

bool is_text(const std::string& text) {
  static const std::regex reference("&(amp|lt|gt|quot|#[0-9]+);");
  const std::string plain = std::regex_replace(text, reference, "");
  return plain.find_first_of("&<") == std::string::npos;
}

// The attributes of a tag, each once and quoted.
bool are_attributes(std::string text) {
  static const std::regex attribute(R"re(^\s+([A-Za-z_:][A-Za-z0-9_:.-]*)="([^"<]*)")re");
  std::set<std::string> names;
  for (std::smatch match; std::regex_search(text, match, attribute); text = match.suffix())
    if (!names.insert(match[1]).second || !is_text(match[2])) return false;
  return text.find_first_not_of(" \n") == std::string::npos;
}

}  // namespace

std::string xml_fault(std::string_view document) {
  if (!is_utf8(document)) return "it is not UTF-8";
  constexpr std::string_view kType = "<!DOCTYPE html>\n";
  if (document.starts_with(kType)) document.remove_prefix(kType.size());
  static const std::regex name("^[A-Za-z][A-Za-z0-9]*");
  std::vector<std::string> open;
  int roots = 0;
  while (!document.empty()) {
    const std::size_t tag = document.find('<');
    const std::string before(document.substr(0, tag));
    if (!is_text(before)) return "text that is not escaped: " + before;
    if (open.empty() && before.find_first_not_of(" \n") != std::string::npos)
      return "text outside of the root: " + before;
    if (tag == std::string_view::npos) break;
    const std::size_t end = document.find('>', tag);
    if (end == std::string_view::npos) return "a tag without an end";
    std::string inside(document.substr(tag + 1, end - tag - 1));
    document.remove_prefix(end + 1);
    if (inside.starts_with('/')) {
      if (open.empty() || open.back() != inside.substr(1)) return "</" + inside.substr(1) + "> closes nothing";
      open.pop_back();
      continue;
    }
    const bool empty = inside.ends_with('/');
    if (empty) inside.pop_back();
    std::smatch match;
    if (!std::regex_search(inside, match, name)) return "no tag: <" + inside + ">";
    if (!are_attributes(match.suffix())) return "attributes of <" + inside + ">";
    if (open.empty() && ++roots > 1) return "a second root: <" + inside + ">";
    if (!empty) open.push_back(match[0]);
  }
  return open.empty() ? roots == 1 ? "" : "no root" : "<" + open.back() + "> is never closed";
}

}  // namespace dealer::test
