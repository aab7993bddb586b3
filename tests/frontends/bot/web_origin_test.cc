#include "frontends/bot/web_origin.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "tests/support/texts.h"

namespace dealer::test::web_origin_test {
namespace {

// Web pages that may connect to a listening bot.

using Header = std::optional<std::string>;

// A server at 192.168.1.5:7000, and one listening on all addresses and reached there.
class WebOriginTest : public testing::Test {
 protected:
  static bool accepts(const Header& origin, const Header& host, const std::string& listening = "192.168.1.5",
                      const std::vector<std::string>& allowed = {"https://lab.example", "http://page.local:8000"},
                      const std::string& reached = "192.168.1.5", std::uint16_t port = 7000) {
    return WebOriginPolicy(listening, allowed).refusal(origin, host, reached, port).empty();
  }
};

TEST_F(WebOriginTest, ProgramsSendNoOrigin) {
  for (const Header& host : {Header("192.168.1.5:7000"), Header("any.example"), Header("?"), Header()})
    EXPECT_TRUE(accepts(std::nullopt, host));
  EXPECT_FALSE(accepts("", "localhost:7000")) << "an empty one is one";
}

TEST_F(WebOriginTest, PagesOfTheServerItself) {
  for (const std::string name : {"192.168.1.5", "localhost", "127.0.0.1", "127.9.9.9", "[::1]"})
    EXPECT_TRUE(accepts("http://" + name + ":7000", name + ":7000")) << name;
  for (const auto& [origin, host] : std::vector<std::pair<std::string, std::string>>{
           {"http://localhost:7001", "localhost:7000"},      // another program on this machine
           {"http://localhost:7001", "localhost:7001"},      // another port than the server's
           {"https://localhost:7000", "localhost:7000"},     // the server has no TLS
           {"http://127.0.0.1:7000", "localhost:7000"},      // another name
           {"http://localhost", "localhost:7000"},           // port 80
           {"http://localhost:7000", "localhost"},           //
           {"http://192.168.1.6:7000", "192.168.1.6:7000"},  // another address
           {"http://evil.example:7000", "evil.example:7000"},
           {"http://localhost.evil.example:7000", "localhost.evil.example:7000"},
           {"http://127.0.0.1.evil.example:7000", "127.0.0.1.evil.example:7000"},
           {"http://evil.example", "localhost:7000"},
           {"null", "localhost:7000"}})
    EXPECT_FALSE(accepts(origin, host)) << origin << " at " << host;
}

TEST_F(WebOriginTest, LetterCaseAndSpelling) {
  EXPECT_TRUE(accepts("HTTP://LocalHost:7000", "LOCALHOST:7000"));
  EXPECT_TRUE(accepts("http://[0:0:0:0:0:0:0:1]:7000", "[::1]:7000"));
  EXPECT_TRUE(accepts("http://[2001:DB8::1]:7000", "[2001:db8:0::1]:7000", "2001:db8::1", {}, "2001:db8::1"));
  EXPECT_TRUE(accepts("http://192.168.1.5:7000", "192.168.1.5:7000", "::", {}, "::ffff:192.168.1.5"));
  EXPECT_TRUE(accepts("http://[fe80::1]:7000", "[fe80::1]:7000", "fe80::1%2", {}, "fe80::1%2"));
  EXPECT_TRUE(accepts("HTTPS://LAB.Example", "localhost:7000"));
  EXPECT_TRUE(accepts("https://lab.example", "localhost:7000", "::1", {"HTTPS://LAB.Example"}));
}

TEST_F(WebOriginTest, DefaultPorts) {
  for (const auto& [origin, host, accepted] : {std::tuple("http://localhost", "localhost", true),
                                               {"http://localhost:80", "localhost", true},
                                               {"http://localhost", "localhost:80", true},
                                               {"http://[::1]", "[::1]", true},
                                               {"https://lab.example", "localhost", true},
                                               {"http://lab.example", "localhost", false},
                                               {"https://localhost", "localhost", false},
                                               {"https://localhost:80", "localhost", false}})
    EXPECT_EQ(accepts(origin, host, "127.0.0.1", {"https://lab.example:443"}, "127.0.0.1", 80), accepted) << origin;
}

TEST_F(WebOriginTest, AllServersAtAllAddressesAreAtTheOneReached) {
  EXPECT_TRUE(accepts("http://10.0.0.7:7000", "10.0.0.7:7000", "0.0.0.0", {}, "10.0.0.7"));
  EXPECT_FALSE(accepts("http://10.0.0.8:7000", "10.0.0.8:7000", "0.0.0.0", {}, "10.0.0.7"));
}

TEST_F(WebOriginTest, AllowedPages) {
  for (const std::string host : {"localhost:7000", "192.168.1.5:7000", "10.9.9.9:9999", "[::1]", "lab.example",
                                 "LAB.example:9999", "page.local:7000"}) {
    EXPECT_TRUE(accepts("https://lab.example", host)) << host;
    EXPECT_TRUE(accepts("http://page.local:8000", host)) << host;
    for (const std::string origin : {"http://lab.example", "https://lab.example:444", "https://lab.example/",
                                     "https://www.lab.example", "http://page.local", "https://lab.example, x"})
      EXPECT_FALSE(accepts(origin, host)) << origin << " at " << host;
  }
}

TEST_F(WebOriginTest, NamesThatOthersGaveThisMachine) {
  for (const Header& host : {Header(), Header(""), Header("evil.example"), Header("evil.example:7000"), Header(":7000"),
                             Header("localhost:"), Header("localhost:0"), Header("localhost:70000"),
                             Header("localhost:7000x"), Header("localhost:7000, localhost:7000"), Header("a@localhost"),
                             Header("[::1"), Header("[::1]7000"), Header("[127.0.0.1]:7000"), Header("::1")})
    EXPECT_FALSE(accepts("https://lab.example", host)) << host.value_or("none");
}

TEST_F(WebOriginTest, SaysWhy) {
  const auto refusal = [](const Header& origin, const Header& host) {
    return WebOriginPolicy("127.0.0.1", {}).refusal(origin, host, "127.0.0.1", 7000);
  };
  EXPECT_EQ(refusal("http://a", {}), "a page of 'http://a' has named no host");
  EXPECT_EQ(refusal("http://a", "a:7000"),
            "'a:7000' is not a name of this server; expected its IP address or localhost");
  EXPECT_EQ(refusal("http://a\x1b", "localhost:7000"),
            "pages of 'http://a\\x1b' may not connect; --allow-origin allows an origin");
}

TEST_F(WebOriginTest, WellFormedOrigins) {
  const auto parsed = [](std::string_view text) {
    const std::optional<WebOrigin> origin = parse_web_origin(text);
    return origin ? origin->scheme + ' ' + origin->host + ' ' + std::to_string(origin->port) : "none";
  };
  EXPECT_EQ(parsed("http://a"), "http a 80");
  EXPECT_EQ(parsed("https://a-b.c_d.example:65535"), "https a-b.c_d.example 65535");
  EXPECT_EQ(parsed("https://[2001:DB8:0::1]"), "https 2001:db8::1 443");
  EXPECT_EQ(parsed("chrome-extension://abcdef"), "chrome-extension abcdef 0");
  for (const std::string& text :
       split("|null|*|a|a:80|http:|http:/a|http://|://a|1http://a|http://a/|http://a:80/x|http://a:|http://a:0|"
             "http://a:65536|http://a:-1|http://a:+1|http://u@a|http://*.a|http://a b| http://a|http://a |http://[::1|"
             "http://[::g]|http://[a]|http://[::1%1]|http://[::1]a|http://::1|http://a?b|http://a#b|http://\xc3\xa4|"
             "http://a,http://b",
             "|"))
    EXPECT_EQ(parsed(text), "none") << text;
  EXPECT_EQ(
      error_message<UsageError>([] {
        WebOriginPolicy("127.0.0.1", {"http://a", "b/"});
      }),
      "'b/' is not an origin of web pages; expected SCHEME://HOST or SCHEME://HOST:PORT, as http://localhost:8000");
}

}  // namespace
}  // namespace dealer::test::web_origin_test
