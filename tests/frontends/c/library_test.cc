#include <array>
#include <cstdio>
#include <regex>
#include <set>
#include <sstream>

#include "tests/frontends/c/c_support.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

// What libdealers_choice exports: the functions of its header, with their version, and nothing else.
namespace dealer::library_test {
namespace {

std::string output_of(const std::string& command) {
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c)
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer;
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) output.append(buffer.data(), n);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return output;
}

std::set<std::string> declared() {
  const std::string header = test::read_bytes(test::source_dir() + "/include/dealers_choice.h");
  std::set<std::string> names;
  const std::regex function(R"(DC_API [a-z0-9_ *]+?\b(dc_[a-z_]+)\()");
  for (std::sregex_iterator i(header.begin(), header.end(), function), end; i != end; ++i) names.insert((*i)[1]);
  return names;
}

TEST(CLibrary, ExportsTheFunctionsOfTheHeaderAlone) {
  std::set<std::string> exported;
  std::istringstream lines(output_of("nm -D --defined-only " + test::c_library()));
  for (std::string address, kind, name; lines >> address >> kind >> name;) {
    if (kind == "A") {
      EXPECT_EQ(name, "DEALERS_CHOICE_0.1");
      continue;
    }
    EXPECT_TRUE(name.ends_with("@@DEALERS_CHOICE_0.1")) << name;
    exported.insert(name.substr(0, name.find('@')));
  }
  EXPECT_GT(exported.size(), 60U);
  EXPECT_EQ(exported, declared());
}

TEST(CLibrary, NeedsNoLibtorch) {
  const std::string needed = output_of("readelf -d " + test::c_library());
  EXPECT_NE(needed.find("libdealers_choice.so." + std::to_string(DC_ABI_VERSION)), std::string::npos) << needed;
  EXPECT_EQ(needed.find("torch"), std::string::npos) << needed;
}

}  // namespace
}  // namespace dealer::library_test
