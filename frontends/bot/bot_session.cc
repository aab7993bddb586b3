#include "frontends/bot/bot_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "agents/remote/protocol.h"
#include "env/core/error.h"
#include "env/core/json_writer.h"
#include "env/core/numbers.h"

namespace dealer {
namespace {

using Json = nlohmann::json;
using remote::quote_line;

constexpr std::size_t kLongestProblem = 400;

// What ends the session.
class Refusal : public Error {
 public:
  using Error::Error;
};

std::uint64_t seed_of(const Json& seed) {
  const std::string text = seed.get<std::string>();
  if (const std::optional<std::uint64_t> number = number_in<std::uint64_t>(text)) return *number;
  throw Refusal(fmt::format("begin: seed {} is no number", quote_line(text)));
}

void write_answer(std::uint64_t id, const Decision& decision, std::string& out) {
  JsonWriter json(out);
  json.begin_object();
  json.member("type", "answer");
  json.member("id", id);
  if (decision.is_amount())
    json.member("amount", decision.amount);
  else
    json.member("index", decision.action);
  json.end_object();
  out += '\n';
}

}  // namespace

BotSession::BotSession(AgentFactoryPtr agents, GamePtr game)
    : agents_(std::move(agents)), game_(std::move(game)), env_(game_->new_env()) {}

void BotSession::take(std::string_view line, std::string& out) {
  if (over_) return;
  try {
    const Json message = Json::parse(line, nullptr, false);
    if (!message.is_object()) throw Refusal(fmt::format("{} is no JSON object", quote_line(line)));
    handle(message, out);
  } catch (const Json::exception&) {
    problem_ = fmt::format("malformed message: {}", quote_line(line));
  } catch (const std::exception& error) {
    problem_ = error.what();
  }
  if (problem_.empty()) return;
  over_ = true;
  problem_.resize(std::min(problem_.size(), kLongestProblem));
  remote::write_error("malformed", problem_, 0, out);
}

void BotSession::handle(const Json& message, std::string& out) {
  const std::string type = message.at("type").get<std::string>();
  if (type == "hello") return hello(message, out);
  if (type == "bye") {
    over_ = true;
    return;
  }
  // What the host finds wrong with us is for people to read; kinds of messages of later versions are passed over.
  if (type != "begin" && type != "events" && type != "request") return;
  if (!batch_) throw Refusal(fmt::format("'{}' before hello", type));
  if (type == "begin") return begin(message);
  if (type == "events") return events(message);
  request(message);
}

void BotSession::hello(const Json& message, std::string& out) {
  if (batch_) throw Refusal("a second hello");
  // Nothing that a host sends is dumped: nested deeply enough it would overflow the stack.
  const Json& protocol = message.at("protocol");
  if (protocol != remote::kProtocol)
    throw Refusal(fmt::format("the host speaks protocol {}; expected {}",
                              protocol.is_number_integer() ? std::to_string(protocol.get<std::int64_t>())
                                                           : fmt::format("'{}'", protocol.type_name()),
                              remote::kProtocol));
  if (message.at("rules").get<std::string>() != game_->id().rules)
    throw Refusal(fmt::format("the host plays {} by other rules than '{}', which this bot plays",
                              quote_line(message.value("spec", std::string())), game_->spec()));
  const int tables = std::clamp(agents_->tables_at_once(), 1, remote::kMaxTables);
  batch_ = agents_->make_batch(tables);
  tables_.resize(static_cast<std::size_t>(tables));
  JsonWriter json(out);
  json.begin_object();
  json.member("type", "hello");
  json.member("protocol", remote::kProtocol);
  json.member("name", agents_->spec());
  json.member("tables", tables);
  json.member("events", batch_->hears());
  json.member("numbers", true);
  json.end_object();
  out += '\n';
}

int BotSession::table_of(const Json& message, bool begun) {
  const auto table = message.at("table").get<std::int64_t>();
  if (table < 0 || table >= static_cast<std::int64_t>(tables_.size()))
    throw Refusal(fmt::format("table {}; expected 0 to {}", table, tables_.size() - 1));
  if (begun && !tables_[static_cast<std::size_t>(table)].begun)
    throw Refusal(fmt::format("table {} has not begun", table));
  return static_cast<int>(table);
}

void BotSession::begin(const Json& message) {
  const int number = table_of(message, false);
  Table& table = tables_[static_cast<std::size_t>(number)];
  const auto seat = message.at("seat").get<std::int64_t>();
  if (seat < 0 || seat >= game_->players())
    throw Refusal(fmt::format("begin: seat {}; expected 0 to {}", seat, game_->players() - 1));
  if (table.asked) throw Refusal("begin: a request of this table has no answer yet");
  table = {true, false, static_cast<Seat>(seat)};
  batch_->reset(number, table.seat, seed_of(message.at("seed")));
}

void BotSession::events(const Json& message) {
  const int number = table_of(message, true);
  if (!batch_->hears()) return;
  std::vector<Event> list;
  for (const Json& json : message.at("events")) list.push_back(event_from_json(json, *game_));
  batch_->hear(number, list);
}

Observation BotSession::observation_of(const Json& message, Seat seat) {
  Observation seen;
  seen.player = seat;
  const ObservationSpec& spec = game_->observation_spec();
  seen.data.reserve(static_cast<std::size_t>(spec.size()));
  const Json& numbers = message.at("numbers");
  for (const ObservationPart& part : spec.parts()) {
    const Json& list = numbers.at(part.name);
    if (!list.is_array() || list.size() != static_cast<std::size_t>(part.size()))
      throw Refusal(fmt::format("request: '{}' has not {} numbers", part.name, part.size()));
    for (const Json& number : list) seen.data.push_back(number.get<float>());
  }
  for (const Json& choice : message.at("legal")) {
    if (choice.at("index").is_null()) {
      seen.amounts = {choice.at("min").get<Amount>(), choice.at("max").get<Amount>(), choice.at("step").get<Amount>()};
      if (seen.amounts.step < 1) throw Refusal("request: a step below 1");
      continue;
    }
    const auto action = choice.at("index").get<std::int64_t>();
    if (action < 0 || action >= game_->num_actions())
      throw Refusal(fmt::format("request: index {}; expected 0 to {}", action, game_->num_actions() - 1));
    seen.legal_mask |= LegalMask{1} << action;
  }
  // Agents trust what they see. So it must be something that can be seen at a table, and the choices those there are.
  env_->sample_state(seen, 0);
  if (env_->current_player() != seat || env_->legal_mask() != seen.legal_mask || env_->amount_range() != seen.amounts)
    throw Refusal("request: its legal choices are not those of the position");
  return seen;
}

void BotSession::request(const Json& message) {
  const int number = table_of(message, true);
  Table& table = tables_[static_cast<std::size_t>(number)];
  if (table.asked) throw Refusal(fmt::format("a second request of table {} before the answer to the first", number));
  auto question = std::make_unique<Question>();
  question->id = message.at("id").get<std::uint64_t>();
  question->observation = observation_of(message, table.seat);
  batch_->add(number, question->observation, question->decision);
  table.asked = true;
  questions_.push_back(std::move(question));
}

void BotSession::answer(std::string& out) {
  if (over_) questions_.clear();
  if (questions_.empty()) return;
  try {
    batch_->flush();
    for (const auto& question : questions_) write_answer(question->id, question->decision, out);
  } catch (const std::exception& error) {
    problem_ = error.what();
    over_ = true;
    remote::write_error("error", problem_, 0, out);
  }
  questions_.clear();
  for (Table& table : tables_) table.asked = false;
}

}  // namespace dealer
