#include "frontends/phh/standard_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "env/core/at.h"
#include "env/core/counted.h"
#include "frontends/phh/amount.h"

namespace dealer::phh {
namespace {

using Json = nlohmann::ordered_json;
using Happened = StandardEvent::Kind;

class HandText {
 public:
  explicit HandText(const StandardReplay& replay)
      : replay_(replay), hand_(replay.history()), table_(*replay.table()), names_(names_of(hand_)) {}

  std::string write() {
    const StandardVariant& variant = *table_.hand().variant;
    text_ = fmt::format("{}, {}\n", variant.code, variant.name);
    for (std::size_t i = 0; i < names_.size(); ++i)
      text_ += fmt::format("  {:<3} {}  {}\n", position(i), names_[i], amount(hand_.starting_stacks[i]));
    int street = -1;
    for (const StandardEvent& event : table_.events()) {
      if (event.street != street) text_ += heading(street = event.street);
      text_ += fmt::format("  {}\n", line(event));
      pot_ += event.kind == Happened::kReturned ? -event.amount : event.amount;
    }
    write_end();
    return text_;
  }

 private:
  std::string amount(Amount amount) const { return money_text(amount, hand_.decimals); }

  std::string position(std::size_t player) const {
    if (table_.hand().variant->has_bring_in()) return "";
    const std::size_t n = names_.size();
    if (n == 2) return player == 0 ? "BB" : "BTN";
    return player == 0 ? "SB" : player == 1 ? "BB" : player + 1 == n ? "BTN" : "";
  }

  std::string heading(int street) const {
    std::string name(table_.hand().variant->streets[at(street)].name);
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return pot_ > 0 ? fmt::format("{}, pot {}\n", name, amount(pot_)) : name + '\n';
  }

  static std::string cards(const StandardEvent& event) { return fmt::format("{}", fmt::join(event.cards, " ")); }

  std::string line(const StandardEvent& event) const {
    const std::string all_in = event.all_in ? " and is all-in" : "";
    if (event.kind == Happened::kBoard) return fmt::format("board {}", cards(event));
    const std::string& name = names_[at(event.player)];
    switch (event.kind) {
      case Happened::kPosted:
        return fmt::format("{} posts the {} of {}{}", name, event.what == "bring_in" ? "bring-in" : event.what,
                           amount(event.amount), all_in);
      case Happened::kDealt:
        return fmt::format("{} gets {}", name, cards(event));
      case Happened::kDiscarded:
        return event.cards.empty() ? name + " stands pat" : fmt::format("{} discards {}", name, cards(event));
      case Happened::kReturned:
        return fmt::format("{} gets {} back", name, amount(event.amount));
      case Happened::kShown:
        return fmt::format("{} shows {}", name, cards(event));
      case Happened::kMucked:
        return name + " mucks";
      default:
        break;
    }
    if (event.what == "fold" || event.what == "check") return fmt::format("{} {}s", name, event.what);
    if (event.what == "call" || event.what == "bet")
      return fmt::format("{} {}s {}{}", name, event.what, amount(event.amount), all_in);
    return fmt::format("{} {}s to {}{}", name, event.what, amount(event.total), all_in);
  }

  void write_end() {
    const std::vector<Amount>& collected = replay_.collected();
    for (std::size_t i = 0; i < collected.size(); ++i)
      if (collected[i] > 0) text_ += fmt::format("{} wins {}\n", names_[i], amount(collected[i]));
    const std::vector<Amount> stacks = replay_.finishing_stacks();
    for (std::size_t i = 0; i < stacks.size(); ++i) {
      const Amount net = stacks[i] - hand_.starting_stacks[i];
      text_ +=
          fmt::format("  {} finishes with {} ({}{})\n", names_[i], amount(stacks[i]), net > 0 ? "+" : "", amount(net));
    }
  }

  const StandardReplay& replay_;
  const HandHistory& hand_;
  const StandardTable& table_;
  const std::vector<std::string> names_;
  std::string text_;
  Amount pot_ = 0;
};

class HandEvents {
 public:
  explicit HandEvents(const StandardReplay& replay) : replay_(replay), hand_(replay.history()) {}

  Json write() const {
    const StandardTable& table = *replay_.table();
    Json events = Json::array();
    events.push_back(
        {{"event", "hand_begun"}, {"dealer", hand_.players() - 1}, {"stacks", moneys(hand_.starting_stacks)}});
    for (const StandardEvent& event : table.events()) events.push_back(json(event));
    const std::vector<Amount>& collected = replay_.collected();
    for (std::size_t i = 0; i < collected.size(); ++i)
      if (collected[i] > 0) events.push_back({{"event", "won"}, {"seat", i}, {"amount", money(collected[i])}});
    std::vector<Amount> net = replay_.finishing_stacks();
    if (net.empty()) return events;
    for (std::size_t i = 0; i < net.size(); ++i) net[i] -= hand_.starting_stacks[i];
    events.push_back({{"event", "hand_ended"}, {"net", moneys(net)}, {"rake", money(replay_.rake())}});
    return events;
  }

 private:
  // Without decimals if the file's money has none.
  Json money(Amount amount) const {
    if (amount == kUnknownStack) return nullptr;
    if (hand_.decimals == 0) return amount;
    return static_cast<double>(amount) / std::pow(10.0, hand_.decimals);
  }
  Json moneys(const std::vector<Amount>& amounts) const {
    Json list = Json::array();
    for (const Amount amount : amounts) list.push_back(money(amount));
    return list;
  }

  Json json(const StandardEvent& event) const {
    Json json{{"event", name(event)}, {"seat", nullptr}, {"street", event.street}};
    if (event.player >= 0) json["seat"] = event.player;
    const bool acted = event.kind == Happened::kActed;
    if (acted || event.kind == Happened::kPosted) json[acted ? "action" : "what"] = event.what;
    if (acted || event.kind == Happened::kPosted || event.kind == Happened::kReturned)
      json["amount"] = money(event.amount);
    if (acted) json["total"] = money(event.total);
    if (acted || event.kind == Happened::kPosted) json["all_in"] = event.all_in;
    if (event.kind == Happened::kBoard) json["what"] = "board";
    if (event.kind == Happened::kDealt || event.kind == Happened::kBoard || event.kind == Happened::kDiscarded ||
        event.kind == Happened::kShown) {
      Json known = Json::array();
      for (const std::string& card : event.cards)
        if (card != "??") known.push_back(card);
      json["cards"] = known;
      json["count"] = event.cards.size();
    }
    return json;
  }

  std::string name(const StandardEvent& event) const {
    constexpr std::string_view kNames[] = {"posted",    "dealt",    "dealt", "acted",
                                           "discarded", "returned", "shown", "mucked"};
    const bool drew = event.kind == Happened::kDealt && replay_.table()->hand().variant->streets[at(event.street)].draw;
    return std::string(drew ? "drew" : kNames[static_cast<std::size_t>(event.kind)]);
  }

  const StandardReplay& replay_;
  const HandHistory& hand_;
};

}  // namespace

std::vector<std::string> names_of(const HandHistory& hand) {
  std::vector<std::string> names;
  const TomlValue* listed = hand.other("players");
  for (std::size_t i = 0; i < at(hand.players()); ++i) {
    std::string name = listed == nullptr ? "" : listed->items[i].text;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    names.push_back(name.empty() ? fmt::format("p{}", i + 1) : name);
  }
  return names;
}

std::string standard_text(const StandardReplay& replay) { return replay.table() ? HandText(replay).write() : ""; }

Json standard_events(const StandardReplay& replay) {
  return replay.table() ? HandEvents(replay).write() : Json::array();
}

std::vector<std::string> warnings_of(const StandardReplay& replay) {
  std::vector<std::string> warnings;
  if (!replay.problems().empty()) return warnings;
  if (replay.rake() > 0) warnings.push_back("rake " + money_text(replay.rake(), replay.history().decimals));
  if (replay.breaks_off()) warnings.push_back("the hand breaks off: " + replay.table()->waiting_for());
  if (replay.undecided()) warnings.emplace_back("the winner is not known");
  return warnings;
}

}  // namespace dealer::phh
