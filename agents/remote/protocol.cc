#include "agents/remote/protocol.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "agents/agent_error.h"
#include "env/core/env_text.h"
#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "env/core/json_writer.h"
#include "env/core/numbers.h"
#include "env/core/registry.h"
#include "env/core/version.h"

namespace dealer::remote {
namespace {

void write_layout(const ObservationSpec& spec, JsonWriter& json) {
  json.begin_array("observation");
  for (const ObservationPart& part : spec.parts()) {
    json.begin_object();
    json.member("name", part.name);
    json.member("offset", part.offset);
    json.begin_array("shape");
    for (const int extent : part.shape) json.value(extent);
    json.end_array();
    json.member("low", part.low);
    json.member("high", part.high);
    json.member("meaning", part.meaning);
    json.end_object();
  }
  json.end_array();
}

void write_numbers(const Game& game, const Observation& observation, JsonWriter& json) {
  json.begin_object("numbers");
  for (const ObservationPart& part : game.observation_spec().parts()) {
    json.begin_array(part.name);
    for (int i = 0; i < part.size(); ++i) {
      const float number = observation.data[static_cast<std::size_t>(part.offset + i)];
      // Most numbers are 0 or 1, so these have a fast path.
      if (number == 0 && !std::signbit(number))
        json.value(0);
      else if (number == 1)
        json.value(1);
      else
        json.value(number);
    }
    json.end_array();
  }
  json.end_object();
}

// Every message is one object on one line.
template <class Members>
void write_message(std::string_view type, std::string& out, const Members& members) {
  JsonWriter json(out);
  json.begin_object();
  json.member("type", type);
  members(json);
  json.end_object();
  out += '\n';
}

// A text field of a message, quoted; empty if the message or the field is missing.
std::string quoted_field(std::string_view line, const char* key, std::size_t longest) {
  const nlohmann::json message = nlohmann::json::parse(line, nullptr, false);
  const auto field = message.is_object() ? message.find(key) : message.end();
  const bool present = message.is_object() && field != message.end() && field->is_string();
  return present ? quote_line(field->get_ref<const std::string&>(), longest) : fmt::format("no {}", key);
}

}  // namespace

void write_hello(const Game& game, std::string& out) {
  write_message("hello", out, [&](JsonWriter& json) {
    json.member("protocol", kProtocol);
    json.member("host", fmt::format("dealer {}", version()));
    json.member("game", game.name());
    json.begin_object("options");
    for (const auto& [key, value] : parse_spec(game.spec()).options) json.member(key, value);
    json.end_object();
    json.member("spec", game.spec());
    json.member("rules", game.id().rules);
    json.member("players", game.players());
    json.member("actions", game.num_actions());
    json.member("unit", game.unit());
    write_layout(game.observation_spec(), json);
  });
}

void write_begin(int table, Seat seat, std::uint64_t seed, std::string& out) {
  write_message("begin", out, [&](JsonWriter& json) {
    json.member("table", table);
    json.member("seat", seat);
    // As text: most languages read numbers above 2^53 inexactly.
    json.member("seed", std::to_string(seed));
  });
}

void write_events(int table, std::span<const Event> events, const Game& game, std::string& out) {
  write_message("events", out, [&](JsonWriter& json) {
    json.member("table", table);
    json.begin_array("events");
    for (const Event& event : events) write_json(event, game, json);
    json.end_array();
  });
}

void write_request(const Request& request, const Observation& observation, const Env& env, std::string& out) {
  write_message("request", out, [&](JsonWriter& json) {
    json.member("id", request.id);
    json.member("table", request.table);
    json.member("seat", observation.player);
    json.key("deadline");
    if (request.deadline > 0)
      json.value(request.deadline);
    else
      json.value(nullptr);
    json.key("legal");
    write_choices(env, json);
    json.key("position");
    env.write_table(observation.player, json);
    if (request.numbers) write_numbers(env.game(), observation, json);
  });
}

void write_bye(std::string_view reason, std::string& out) {
  write_message("bye", out, [&](JsonWriter& json) { json.member("reason", reason); });
}

void write_error(std::string_view kind, std::string_view message, std::uint64_t id, std::string& out) {
  write_message("error", out, [&](JsonWriter& json) {
    json.member("kind", kind);
    json.member("message", message);
    if (id != 0) json.member("id", id);
  });
}

std::string type_of(std::string_view line) {
  const nlohmann::json message = nlohmann::json::parse(line, nullptr, false);
  const auto type = message.is_object() ? message.find("type") : message.end();
  return message.is_object() && type != message.end() && type->is_string() ? type->get<std::string>() : std::string();
}

BotHello read_hello(std::string_view line) {
  try {
    const nlohmann::json message = nlohmann::json::parse(line);
    const JsonFields fields(message, "hello: ");
    fields.whole("protocol", kProtocol, kProtocol);
    BotHello hello;
    if (!fields.is_null("name")) hello.name = fields.text("name");
    if (!fields.is_null("tables")) hello.tables = static_cast<int>(fields.whole("tables", 1, kMaxTables));
    if (!fields.is_null("events")) hello.events = fields.flag("events");
    if (!fields.is_null("numbers")) hello.numbers = fields.flag("numbers");
    return hello;
  } catch (const ParseError& error) {
    throw AgentError(FailureKind::kMalformed, error.what());
  }
}

std::string read_bye(std::string_view line) { return quoted_field(line, "reason", 80); }
std::string read_error(std::string_view line) { return quoted_field(line, "message", 400); }

Answer read_answer(std::string_view line) {
  Answer answer;
  const nlohmann::json message = nlohmann::json::parse(line, nullptr, false);
  if (!message.is_object()) {
    answer.problem = fmt::format("{} is not a JSON object", quote_line(line));
    return answer;
  }
  // Some programs write null for unused fields.
  const auto found = [&](const char* key) {
    const auto field = message.find(key);
    return field != message.end() && field->is_null() ? message.end() : field;
  };
  const auto index = found("index"), text = found("text"), amount = found("amount");
  const int given = (index != message.end()) + (text != message.end()) + (amount != message.end());
  const auto type = message.find("type");
  if (type == message.end() || *type != "answer") {
    answer.attempted = type == message.end() && given > 0;
    answer.problem = fmt::format("{} is not an answer; expected \"type\":\"answer\"", quote_line(line));
    return answer;
  }
  try {
    answer.id = JsonFields(message, "answer: ").id("id");
  } catch (const ParseError& error) {
    answer.attempted = true;
    answer.problem = error.what();
    return answer;
  }
  answer.is_answer = true;
  const auto number = [&](const nlohmann::json& value) {
    return static_cast<Amount>(whole_number(value, 0, std::numeric_limits<Amount>::max()).value_or(-1));
  };
  if (given != 1) {
    answer.problem = fmt::format("{} has {} of index, text and amount; expected one", quote_line(line), given);
  } else if (text != message.end() && text->is_string()) {
    answer.decided = answer.by_text = true;
    answer.text = text->get<std::string>();
  } else if (index != message.end() && number(*index) >= 0) {
    answer.decided = true;
    answer.decision = Action{number(*index)};
  } else if (amount != message.end() && number(*amount) >= 0) {
    answer.decided = true;
    answer.decision = Decision::bet_to(number(*amount));
  } else {
    const char* const key = text != message.end() ? "text" : index != message.end() ? "index" : "amount";
    answer.problem = fmt::format("answer: {} is {}; expected {}", key, shown_json(message[key]),
                                 text != message.end() ? "a text" : "a whole number from 0");
  }
  return answer;
}

bool find_decision(std::span<const Choice> choices, std::string_view text, Decision& decision) {
  for (const Choice& choice : choices) {
    if (choice.action != kNoAction) {
      if (choice.text != text) continue;
      decision = choice.action;
      return true;
    }
    if (!text.starts_with(choice.text + ' ')) continue;
    const std::optional<Amount> amount = number_in<Amount>(text.substr(choice.text.size() + 1));
    if (!amount) continue;
    decision = Decision::bet_to(*amount);
    return true;
  }
  return false;
}

}  // namespace dealer::remote
