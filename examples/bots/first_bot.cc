// A bot that takes the first legal choice, at up to 64 tables at once. C++17 and the header nlohmann/json.hpp:
//
// c++ -std=c++17 -O2 examples/bots/first_bot.cc -o first_bot
// dealer match exec:./first_bot random --game leduc --deals 1000
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

using Json = nlohmann::json;

int main() {
  std::ios::sync_with_stdio(false);
  std::string answers;
  for (std::string line; std::getline(std::cin, line);) {
    const Json message = Json::parse(line);
    if (message["type"] == "hello") {
      answers += R"({"type":"hello","protocol":1,"name":"first","tables":64,"events":false})"
                 "\n";
    } else if (message["type"] == "request") {
      answers += Json{{"type", "answer"}, {"id", message["id"]}, {"index", message["legal"][0]["index"]}}.dump() + '\n';
    } else if (message["type"] == "bye") {
      break;
    }
    // Requests of several tables come together: answer them together.
    if (std::cin.rdbuf()->in_avail() > 0) continue;
    std::cout << answers << std::flush;
    answers.clear();
  }
}
