#include "frontends/bot/bot_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "agents/remote/protocol.h"
#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "env/core/json_writer.h"
#include "env/core/numbers.h"
#include "frontends/bot/request_check.h"

namespace dealer {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestProblem = 400;

// An error that ends the session.
class Refusal : public Error {
 public:
  using Error::Error;
};

// The text of a decision, for hosts that do not know its number.
std::string text_of(const Decision& decision, const std::vector<Choice>& choices) {
  for (const Choice& choice : choices)
    if (choice.action == decision.action)
      return decision.is_amount() ? fmt::format("{} {}", choice.text, decision.amount) : choice.text;
  return {};
}

void write_answer(std::uint64_t id, const Decision& decision, const std::vector<Choice>& by_text, std::string& out) {
  JsonWriter json(out);
  json.begin_object();
  json.member("type", "answer");
  json.member("id", id);
  if (!by_text.empty())
    json.member("text", text_of(decision, by_text));
  else if (decision.is_amount())
    json.member("amount", decision.amount);
  else
    json.member("index", decision.action);
  json.end_object();
  out += '\n';
}

// ", such as 'blinds: []'": the first rule of the host that is not one of the game's; empty if there is none.
std::string other_rule(std::string_view host, std::string_view own) {
  const std::vector<std::string_view> rules = split(own, '\n');
  for (const std::string_view rule : split(host, '\n'))
    if (std::ranges::find(rules, rule) == rules.end()) return fmt::format(", such as {}", quote_line(rule));
  return {};
}

}  // namespace

BotSession::BotSession(AgentFactoryPtr agents, GamePtr game)
    : agents_(std::move(agents)), game_(std::move(game)), env_(game_->new_env()) {}

void BotSession::take(std::string_view line, std::string& out) {
  if (over_) return;
  try {
    const Json message = Json::parse(line, nullptr, false);
    if (!message.is_object()) throw Refusal(fmt::format("{} is not a JSON object", quote_line(line)));
    handle(message, out);
  } catch (const std::exception& error) {
    problem_ = error.what();
  }
  if (problem_.empty()) return;
  over_ = true;
  problem_.resize(std::min(problem_.size(), kLongestProblem));
  remote::write_error("malformed", problem_, 0, out);
}

void BotSession::handle(const Json& message, std::string& out) {
  const std::string type = JsonFields(message, "").text("type");
  const JsonFields fields(message, type + ": ");
  if (type == "hello") return hello(fields, out);
  if (type == "bye") {
    over_ = true;
    return;
  }
  // Errors reported by the host are only for people; message kinds of later versions are ignored.
  if (type != "begin" && type != "events" && type != "request") return;
  if (!batch_) throw Refusal(fmt::format("'{}' before hello", type));
  if (type == "begin") return begin(fields);
  if (type == "events") return events(fields);
  request(fields);
}

void BotSession::hello(const JsonFields& message, std::string& out) {
  if (batch_) throw Refusal("a second hello");
  message.whole("protocol", remote::kProtocol, remote::kProtocol);
  // A host with its own engine need not have our text of the rules.
  const bool same =
      message.is_null("rules") ? message.text("spec") == game_->spec() : message.text("rules") == game_->id().rules;
  if (!same)
    throw Refusal(fmt::format("the host plays {} by other rules than '{}', which this bot plays{}",
                              message.has("spec") ? shown_json(message.value("spec")) : std::string("a game"),
                              game_->spec(),
                              message.is_null("rules") ? "" : other_rule(message.text("rules"), game_->id().rules)));
  // A host that writes observations must have the same layout.
  const bool numbers = !message.is_null("observation") && !message.list("observation").empty();
  const int tables = std::clamp(agents_->tables_at_once(), 1, remote::kMaxTables);
  batch_ = agents_->make_batch(tables);
  tables_.resize(static_cast<std::size_t>(tables));
  JsonWriter json(out);
  json.begin_object();
  json.member("type", "hello");
  json.member("protocol", remote::kProtocol);
  json.member("name", agents_->spec());
  json.member("tables", tables);
  json.member("events", batch_->observes() || !numbers);
  json.member("numbers", numbers);
  json.end_object();
  out += '\n';
}

int BotSession::table_of(const JsonFields& message, bool begun) {
  const auto table = message.whole("table", 0, static_cast<std::int64_t>(tables_.size()) - 1);
  if (begun && !tables_[static_cast<std::size_t>(table)].begun)
    throw Refusal(fmt::format("{} is {}; expected one that has begun", message.path("table"), table));
  return static_cast<int>(table);
}

void BotSession::begin(const JsonFields& message) {
  const int number = table_of(message, false);
  Table& table = tables_[static_cast<std::size_t>(number)];
  const auto seat = static_cast<Seat>(message.whole("seat", 0, game_->players() - 1));
  if (table.asked) throw Refusal("begin: a request of this table has no answer yet");
  const std::uint64_t seed = message.seed("seed");
  table.begun = true;
  table.seat = seat;
  if (!table.observed) table.observed = std::make_unique<ObservedTable>(game_);
  table.observed->begin(seat);
  batch_->reset(number, seat, seed);
}

void BotSession::events(const JsonFields& message) {
  const int number = table_of(message, true);
  std::vector<Event> list;
  message.each("events", [&](const Json& json, const std::string& path) {
    if (!json.is_object()) throw Refusal(fmt::format("{} is {}; expected an object", path, shown_json(json)));
    try {
      list.push_back(event_from_json(json, *game_));
    } catch (const ParseError& error) {
      throw Refusal(fmt::format("{}.{}", path, error.what()));
    }
  });
  if (batch_->observes()) batch_->on_events(number, list);
  tables_[static_cast<std::size_t>(number)].observed->on_events(std::move(list));
}

Observation BotSession::numbers_of(const JsonFields& message, Seat seat) const {
  Observation seen;
  seen.player = seat;
  const ObservationSpec& spec = game_->observation_spec();
  seen.data.reserve(static_cast<std::size_t>(spec.size()));
  const JsonFields numbers(message.object("numbers"), message.path("numbers."));
  for (const ObservationPart& part : spec.parts()) {
    const Json& list = numbers.list(part.name);
    if (list.size() != static_cast<std::size_t>(part.size()))
      throw Refusal(fmt::format("{} has {} numbers; expected {}", numbers.path(part.name), list.size(), part.size()));
    for (const Json& number : list) {
      if (!number.is_number())
        throw Refusal(fmt::format("{}[{}] is {}; expected a number", numbers.path(part.name), &number - &list[0],
                                  shown_json(number)));
      seen.data.push_back(number.get<float>());
    }
  }
  return seen;
}

void BotSession::request(const JsonFields& message) {
  const int number = table_of(message, true);
  Table& table = tables_[static_cast<std::size_t>(number)];
  if (table.asked) throw Refusal(fmt::format("a second request of table {} before the answer to the first", number));
  if (!message.is_null("seat")) message.whole("seat", table.seat, table.seat);
  auto question = std::make_unique<Question>();
  question->id = message.id("id");
  question->table = number;
  // Agents trust their observations, so these must be possible at a table, with exactly the legal choices.
  Env* env = env_.get();
  if (!message.is_null("numbers")) {
    question->observation = numbers_of(message, table.seat);
    try {
      env->sample_state(question->observation, 0);
    } catch (const UsageError& error) {
      throw Refusal(fmt::format("{}: {}", message.path("numbers"), error.what()));
    }
    if (env->current_player() != table.seat)
      throw Refusal(fmt::format("{} say that seat {} is to act; expected {}", message.path("numbers"),
                                env->current_player(), table.seat));
  } else {
    try {
      env = &table.observed->table();
    } catch (const ParseError& error) {
      throw Refusal(message.path(error.what()));
    }
    check_position(message, *env, table.seat);
  }
  if (check_legal(message, *env)) question->by_text = env->choices();
  question->observation = env->observe(table.seat);
  batch_->add(number, question->observation, question->decision);
  table.asked = true;
  questions_.push_back(std::move(question));
}

void BotSession::answer(std::string& out) {
  if (over_) questions_.clear();
  if (questions_.empty()) return;
  try {
    batch_->flush();
    for (const auto& question : questions_) {
      write_answer(question->id, question->decision, question->by_text, out);
      tables_[static_cast<std::size_t>(question->table)].observed->decided(question->decision);
    }
  } catch (const std::exception& error) {
    problem_ = error.what();
    over_ = true;
    remote::write_error("error", problem_, 0, out);
  }
  questions_.clear();
  for (Table& table : tables_) table.asked = false;
}

}  // namespace dealer
