#include "frontends/terminal/betting/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "frontends/terminal/hand_ladder.h"

namespace dealer::terminal {
namespace {

using betting::Limit;
using poker::GameRules;
using poker::Procedure;

std::string in_words(int count) {
  constexpr std::array<std::string_view, 8> kCounts = {"no", "one", "two", "three", "four", "five", "six", "seven"};
  return count < static_cast<int>(kCounts.size()) ? std::string(kCounts[static_cast<std::size_t>(count)])
                                                  : std::to_string(count);
}
std::string in_words(int count, const std::string& what) {
  return fmt::format("{} {}{}", in_words(count), what, count == 1 ? "" : "s");
}

std::string game_text(const GameRules& rules) {
  const betting::BetRules& bets = rules.bets;
  std::string name = "Texas hold'em";
  if (rules.procedure == Procedure::kStud) name = "Seven-card stud";
  if (rules.procedure == Procedure::kDraw) {
    name = in_words(rules.hand_cards) + "-card draw";
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    if (rules.draws > 1) name += " with " + in_words(rules.draws, "draw");
  }
  const std::string low = rules.high->ranking().low() ? ", the lowest hand wins" : "";
  const std::string split = rules.low ? ", high-low split" : "";
  std::string limit = "no limit";
  if (bets.limit == Limit::kPotLimit) limit = "pot limit";
  if (bets.limit == Limit::kFree) limit = "raises by any number of chips";
  if (bets.limit == Limit::kStructured) limit = "fixed bets";
  return fmt::format("{}{}{}; {}; {} players with {} chips each.", name, low, split, limit, rules.players, rules.stack);
}

std::string deck_text(const GameRules& rules) {
  const Deck& deck = *rules.deck;
  const std::string name = deck.name().substr(0, deck.name().find('['));
  std::string text = fmt::format("Deck: {}, {} cards", name, deck.cards_in_play());
  if (deck.jokers() > 0)
    text += fmt::format(", {} among them; a joker is read as the card that makes its holder's hand best",
                        in_words(deck.jokers(), "joker"));
  text += '.';
  if (rules.transparent.empty()) return text;
  text += " Cards that end in w are transparent: all players see them in other hands.";
  if (rules.random_mix())
    text += " They replace one card of every rank, removed at random for each match; the removed cards are shown.";
  return text;
}

std::string blinds_text(const GameRules& rules) {
  const betting::BetRules& bets = rules.bets;
  const std::string small = fmt::format("the small blind of {}", bets.small_blind);
  const std::string big = fmt::format("the big blind of {}", bets.big_blind);
  if (rules.players == 2)
    return fmt::format(
        "The dealer posts {}, the other player {}. The dealer acts first in the first round and last in the "
        "later ones.",
        small, big);
  return fmt::format(
      "The two players left of the dealer post {} and {}; when two are left, the dealer posts the small blind. The "
      "player left of the big blind acts first in the first round, the player left of the dealer in later ones.",
      small, big);
}

std::string forced_text(const GameRules& rules) {
  const betting::BetRules& bets = rules.bets;
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : " ") + more; };
  if (bets.ante > 0) add(fmt::format("Everybody pays an ante of {}.", bets.ante));
  if (bets.big_blind > 0) {
    add(blinds_text(rules));
    return text;
  }
  if (!rules.opens_left_of_dealer) {
    const bool low = rules.high->ranking().low();
    add(fmt::format("The {} up card opens the first round, the {} showing hand the later ones.",
                    low ? "highest" : "lowest", low ? "lowest" : "best"));
  } else {
    add("The player left of the dealer acts first in every round.");
  }
  if (bets.bring_in > 0)
    add(fmt::format("The opener brings in {} or completes to {}; others may complete it, too.", bets.bring_in,
                    bets.size[0]));
  return text;
}

std::string rounds_text(const GameRules& rules) {
  std::string text;
  for (int i = 0; i < rules.streets; ++i) {
    const poker::Street& street = rules.street[static_cast<std::size_t>(i)];
    std::string what;
    const auto add = [&](const std::string& more) { what += (what.empty() ? "" : " and ") + more; };
    if (street.down > 0) add(in_words(street.down, "card") + " face down");
    if (street.up > 0) add(in_words(street.up, "card") + " face up");
    if (street.board > 0) add(in_words(street.board, "card") + " on the board");
    if (street.draw) add("a draw");
    if (street.betting) what += ", betting";
    text += (text.empty() ? "" : "; ") + what;
  }
  text = "Course: " + text + '.';
  if (rules.shared_card())
    text += " If too few cards are left for the last street, one card face up is the last card of every player.";
  return text;
}

std::string draw_text(const GameRules& rules) {
  if (rules.draws == 0) return {};
  return "At a draw each player in turn, starting left of the dealer, discards any number of cards and receives as "
         "many new ones. All players see the number. When the stock runs out, earlier discards and folded hands are "
         "shuffled and dealt.";
}

std::string caps_text(const betting::BetRules& bets) {
  std::string text;
  if (bets.raises_per_player < betting::kNoCap)
    text += fmt::format(" A player may raise {} in a round.", bets.raises_per_player == 0   ? "not at all"
                                                              : bets.raises_per_player == 1 ? "once"
                                                              : bets.raises_per_player == 2
                                                                  ? "twice"
                                                                  : in_words(bets.raises_per_player, "time"));
  if (bets.raises_per_round < betting::kNoCap)
    text += fmt::format(" All players together may raise {} in a round.", in_words(bets.raises_per_round, "time"));
  return text.empty() ? text : text + " The opening bet is not a raise.";
}

std::string betting_text(const GameRules& rules) {
  const betting::BetRules& bets = rules.bets;
  if (bets.limit == Limit::kFree)
    return "A call matches the highest bet of the round; the first call is a bet of 1, so that nobody checks. A raise "
           "adds 1 chip or more, up to your stack." +
           caps_text(bets);
  std::string text = "With nothing to call you may check, bet";
  text += bets.open_fold ? " or fold" : " (not fold)";
  text += "; facing a bet call, raise or fold.";
  if (bets.limit == Limit::kStructured) {
    const betting::Chips early = bets.size[0], late = bets.size[static_cast<std::size_t>(rules.rounds - 1)];
    int round = 0;
    while (round < rules.rounds && bets.size[static_cast<std::size_t>(round)] == early) ++round;
    text += early == late ? fmt::format(" Every bet and raise is {}.", early)
                          : fmt::format(" Every bet and raise is {} in the first {} and {} later.", early,
                                        round == 1 ? "round" : in_words(round, "round"), late);
  } else {
    text += fmt::format(" A bet is at least {}, a raise at least the last bet or raise", bets.size[0]);
    text += bets.limit == Limit::kPotLimit ? "; a raise adds at most the pot, the call included."
                                           : "; at most all your chips.";
  }
  if (!bets.check_raise) text += " A player who has checked may not raise in that round.";
  return text + caps_text(bets) + " A player with too few chips may go all-in.";
}

// "Of hands called half flush the best have 1, 4, 2, 3 trumps, in this order".
std::string within_text(const Category& category) {
  std::string counts;
  for (std::size_t i = category.within->counts.size(); i-- > 0;)
    counts += fmt::format("{}{}", counts.empty() ? "" : ", then ", category.within->counts[i]);
  constexpr std::array<std::string_view, 3> kKinds = {"pips", "trumps", "cards without rank"};
  return fmt::format("Within the category {} the best hands are those with {} {}", category.name, counts,
                     kKinds[static_cast<std::size_t>(category.within->kind)]);
}

// The tie-break between hands of one name.
std::string ties_text(const Ranking& ranking) {
  std::string text;
  for (const Category& category : ranking.categories())
    if (category.within) text += within_text(category) + ". ";
  if (ranking.ties() == Ranking::Ties::kByCategory)
    return text + (text.empty() ? "Hands of one category tie." : "Otherwise hands of one category tie.");
  return text + (ranking.low() ? "Within a category the lower cards win." : "Within a category the higher cards win.");
}

std::string aces_text(const Ranking& ranking) { return ranking.aces_high() ? "" : ", aces low"; }

std::string hands_text(const GameRules& rules) {
  const Ranking& high = rules.high->ranking();
  const bool best_five = rules.hand_cards + (rules.has_board() ? poker::kMaxBoard : 0) > poker::kDrawHand;
  std::string text =
      fmt::format("Hands{}{}, from the best{}:\n{}{}", best_five ? ", the best five cards" : "", aces_text(high),
                  rules.deck->is_court() ? " (pips are the cards of the four suits)" : "", hand_ladder(*rules.high),
                  ties_text(high));
  if (high.distinct())
    text += " Only cards that differ in rank and in suit count.";
  else if (high.low() && !high.find("ST") && !high.find("FL"))
    text += " Straights and flushes do not count.";
  if (high.aces_high() && !high.wheel()) text += " A-2-3-4-5 is not a straight.";
  if (!rules.low) return text;
  const Ranking& low = rules.low->ranking();
  text += fmt::format("\nHalf of every pot goes to the best low hand{}, from the best:\n{}{}", aces_text(low),
                      hand_ladder(*rules.low), ties_text(low));
  if (low.qualifier() > 0) text += " If nobody has one, the high hand takes all.";
  return text + " The odd chip goes to the high hand.";
}

std::string end_text(const GameRules& rules) {
  std::string text = rules.show_all || rules.low
                         ? "At the showdown all remaining players show."
                         : "At the showdown the last player to bet or raise shows first, then clockwise the players "
                           "who can still win; if somebody is all-in, all players show.";
  text += rules.bets.odd_chips == betting::OddChips::kDiscard
              ? " Equal hands split; chips that do not divide are removed from play."
              : " Equal hands split; odd chips go to the first winner left of the dealer.";
  text += " You can only win pots that you have paid into.";
  if (rules.episode == poker::Episode::kHand) return text + " Every hand begins with fresh stacks.";
  text +=
      " Chips are carried from hand to hand; a player without chips is out. The match ends when one player has all the "
      "chips";
  if (rules.match_hands > 0) text += fmt::format(", or after {}", in_words(rules.match_hands, "hand"));
  return text + ". Most chips win.";
}

}  // namespace

std::string rules_text(const GameRules& rules) {
  std::string text;
  for (const std::string& paragraph : {game_text(rules), deck_text(rules), forced_text(rules), rounds_text(rules),
                                       draw_text(rules), betting_text(rules), hands_text(rules), end_text(rules)})
    if (!paragraph.empty()) text += paragraph + '\n';
  return text;
}

std::string rules_text(const small::Rules& rules) {
  const small::Options& options = rules.options();
  const bool kuhn = options.variant == small::Variant::kKuhn, leduc = options.variant == small::Variant::kLeduc;
  std::string text = kuhn ? "Kuhn poker" : leduc ? "Leduc hold'em" : "Small draw poker";
  text += fmt::format(", two players; {} cards, {} to {}{}.\n", options.cards(), rules.to_string(Card{0})[0],
                      rules.to_string(static_cast<Card>(options.cards() - 1))[0],
                      options.suits == 1 ? "" : " in " + in_words(options.suits, "suit"));
  text += fmt::format("Both pay an ante of {} and get {} face down.", options.ante, in_words(options.hand, "card"));
  if (leduc) {
    text += " A round of betting, a card on the board, a round of betting.\n";
  } else if (kuhn) {
    text += " One round of betting.\n";
  } else {
    text += fmt::format(
        "{} The draw: each player discards any cards and receives as many, the first player first; the number is "
        "visible. Then a round of betting. When the stock runs out, the discards of the first player are dealt.\n",
        options.rounds > 1 ? " A round of betting." : "");
  }
  const std::string what = options.raises == 1 ? "A bet is" : "Bets and raises are";
  text += fmt::format("{} {}", what, options.bet[0]);
  if (options.rounds > 1 && options.bet[0] != options.bet[1])
    text += fmt::format(" in the first round and {} in the second", options.bet[1]);
  text += fmt::format("; {} in a round. The first player acts first in every round.\n",
                      options.raises == 1 ? "there is one bet and no raise"
                                          : fmt::format("both players together may make {} of them", options.raises));
  if (leduc)
    text += "A pair with the board wins, else the higher card; equal ranks split.";
  else if (options.hand == 1)
    text += "The higher card wins.";
  else
    text += fmt::format("{} beat high cards, then the higher cards win; equal hands split.",
                        options.hand > 2 ? "Three of a kind beat pairs, pairs" : "Pairs");
  return text + " After a fold no cards are shown. Suits never decide.\n";
}

std::string typing_text(const poker::GameRules& rules) {
  std::string text = "  f, k, c          folds, checks, calls\n";
  if (rules.bets.limit == betting::Limit::kStructured) {
    text += "  b, r             bets, raises\n";
  } else {
    text +=
        "  b 40, r 250      bets 40, raises to 250: any legal amount; half pot, pot, b min\n"
        "  allin            bets all there is; you are asked first\n";
  }
  if (rules.bets.bring_in > 0) text += "  b, r             brings in, completes\n";
  if (rules.draws > 0)
    text +=
        "  d 1 3, d 4c 2c   discards cards by their numbers or names; d 10s all tens\n"
        "  keep 1 3         discards the others\n"
        "  pat              keeps all of them\n";
  return text + "  TEXT             a choice in whole words or their beginnings: call, ra\n";
}

std::string typing_text(const small::Rules& rules) {
  std::string text =
      "  f, k, c          folds, checks, calls\n"
      "  b, r             bets, raises\n";
  if (rules.options().variant == small::Variant::kDraw)
    text += "  k, d             in the draw: keeps or discards the card marked ^; confirmed when all are decided\n";
  return text + "  TEXT             a choice in whole words or their beginnings: call, ra\n";
}

}  // namespace dealer::terminal
