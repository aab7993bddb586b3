#include <algorithm>
#include <cmath>
#include <cstdint>

#include "arena/studies/fantasyland/opening_chart.h"

namespace dealer::studies::fantasyland {
namespace {

// Finds cards in the table with the numbering of openings.cc.
constexpr std::string_view kScript = R"js(
(function () {
  var box = document.getElementById('opening-search');
  if (!box) return;
  box.hidden = false;
  var RANKS = '23456789TJQKA', SUITS = 'shdc', MARKS = ['♠', '♥', '♦', '♣'], FIVE = 5, MOST = 60;
  var renamings = [], table = null, list = null;
  (function permute(left, done) {
    if (!left.length) renamings.push(done);
    left.forEach(function (s, i) { permute(left.slice(0, i).concat(left.slice(i + 1)), done.concat(s)); });
  })([0, 1, 2, 3], []);
  function sortRuns(ranks, suits) {
    for (var from = 0, to; from < FIVE; from = to) {
      for (to = from + 1; to < FIVE && ranks[to] === ranks[from]; ++to);
      var run = suits.slice(from, to).sort();
      for (var i = from; i < to; ++i) suits[i] = run[i - from];
    }
    return suits;
  }
  function codeOf(suits) { return suits.reduce(function (code, s) { return code * 4 + s; }, 0); }
  function renamed(ranks, suits, renaming) { return sortRuns(ranks, suits.map(function (s) { return renaming[s]; })); }
  function patternOf(ranks) {
    for (var p = 0, i = 0; i + 1 < FIVE; ++i) if (ranks[i] === ranks[i + 1]) p |= 1 << i;
    return p;
  }
  var classes = {};
  function classesOf(ranks) {
    var pattern = patternOf(ranks);
    if (classes[pattern]) return classes[pattern];
    var found = [];
    for (var code = 0; code < 1024; ++code) {
      var suits = [code >> 8, code >> 6 & 3, code >> 4 & 3, code >> 2 & 3, code & 3], ok = true;
      for (var i = 0; i + 1 < FIVE; ++i) ok = ok && !(pattern >> i & 1 && suits[i] >= suits[i + 1]);
      if (ok) ok = renamings.every(function (r) { return codeOf(renamed(ranks, suits, r)) >= code; });
      if (ok) found.push(suits);
    }
    return classes[pattern] = found;
  }
  function build() {
    var text = atob(document.getElementById('opening-table').textContent.trim());
    table = new Uint8Array(text.length);
    for (var i = 0; i < text.length; ++i) table[i] = text.charCodeAt(i);
    list = [];
    var first = 0;
    for (var a = 12; a >= 0; --a) for (var b = a; b >= 0; --b) for (var c = b; c >= 0; --c)
      for (var d = c; d >= 0; --d) for (var e = d; e >= 0; --e) {
        var ranks = [a, b, c, d, e], count = classesOf(ranks).length;
        if (count) list.push({ ranks: ranks, first: first });
        first += count;
      }
  }
  function adviceOf(index) {
    var o = index * 8, value = table[o + 2] | table[o + 3] << 8;
    return { best: table[o], second: table[o + 1], value: (value > 32767 ? value - 65536 : value) / 100,
      gap: (table[o + 4] | table[o + 5] << 8) / 100, foul: table[o + 6], fantasyland: table[o + 7] };
  }
  function show(ranks, suits, code) {
    var rows = ['', '', ''];
    for (var i = 0; i < FIVE; ++i, code = Math.floor(code / 3)) rows[code % 3] += RANKS[ranks[i]] + MARKS[suits[i]] + ' ';
    return rows.map(function (r) { return r.trim() || '–'; }).join(' / ');
  }
  function number(x) { return (x < 0 ? '−' : '') + Math.abs(x).toFixed(2); }
  function cell(row, text, tag) { var c = document.createElement(tag || 'td'); c.textContent = text; row.appendChild(c); }
  function addRow(body, ranks, suits, index) {
    var a = adviceOf(index), row = document.createElement('tr');
    cell(row, ranks.map(function (r, i) { return RANKS[r] + MARKS[suits[i]]; }).join(' '), 'th');
    [show(ranks, suits, a.best), number(a.value), show(ranks, suits, a.second), number(a.value - a.gap), a.foul + '%',
      a.fantasyland + '%'].forEach(function (text) { cell(row, text); });
    body.appendChild(row);
  }
  function search() {
    var say = document.getElementById('opening-say'), body = document.getElementById('opening-rows');
    body.textContent = '';
    say.textContent = '';
    var text = document.getElementById('opening-cards').value.replace(/10/g, 'T').replace(/[\s,]/g, '');
    if (!text) return;
    var cards = text.match(/[2-9TJQKA][shdc♠♥♦♣]?/gi);
    if (!cards || cards.join('') !== text || cards.length > FIVE) {
      say.textContent = 'Expected up to five cards, such as As Kd Qd 7c 2h, or ranks, such as QQ7.';
      return;
    }
    if (!table) build();
    var held = cards.map(function (c) {
      var s = c.length > 1 ? c[1].toLowerCase() : '';
      return { rank: RANKS.indexOf(c[0].toUpperCase()), suit: s ? Math.max(SUITS.indexOf(s), MARKS.indexOf(s)) : -1 };
    });
    held.sort(function (x, y) { return y.rank - x.rank || x.suit - y.suit; });
    for (var i = 0; i + 1 < held.length; ++i)
      if (held[i].suit >= 0 && held[i].rank === held[i + 1].rank && held[i].suit === held[i + 1].suit) {
        say.textContent = 'A card is given twice.';
        return;
      }
    var suited = held.every(function (c) { return c.suit >= 0; });
    if (held.length === FIVE && suited) {
      var ranks = held.map(function (c) { return c.rank; }), suits = held.map(function (c) { return c.suit; });
      var best = null, back = null;
      renamings.forEach(function (r) {
        var code = codeOf(renamed(ranks, suits, r));
        if (best === null || code < best) { best = code; back = r; }
      });
      var group = list.filter(function (g) { return g.ranks.join() === ranks.join(); })[0];
      var place = classesOf(ranks).map(codeOf).indexOf(best);
      // The suits that were asked for, in the order of the renamed ones.
      var order = classesOf(ranks)[place].map(function (s) { return back.indexOf(s); });
      addRow(body, ranks, order, group.first + place);
      return;
    }
    if (!held.every(function (c) { return c.suit < 0; })) {
      say.textContent = 'Give all five cards with their suits, or ranks alone.';
      return;
    }
    var found = 0;
    list.forEach(function (g) {
      var rest = g.ranks.slice();
      var holds = held.every(function (c) { var at = rest.indexOf(c.rank); if (at < 0) return false; rest.splice(at, 1); return true; });
      if (!holds) return;
      classesOf(g.ranks).forEach(function (suits, i) { if (found++ < MOST) addRow(body, g.ranks, suits, g.first + i); });
    });
    say.textContent = found + ' openings' + (found > MOST ? ', the first ' + MOST + ' shown' : '') + '; suits stand for all renamings of them.';
  }
  var wait = 0;
  document.getElementById('opening-cards').addEventListener('input', function () { clearTimeout(wait); wait = setTimeout(search, 150); });
  search();
})();
)js";

int hundredths(double points, int low, int high) {
  return static_cast<int>(std::clamp(std::lround(100 * points), static_cast<long>(low), static_cast<long>(high)));
}

}  // namespace

std::string packed_chart(const std::vector<OpeningAdvice>& advice) {
  std::string bytes;
  bytes.reserve(advice.size() * 8);
  const auto add = [&](int number) { bytes += static_cast<char>(static_cast<unsigned char>(number & 255)); };
  for (const OpeningAdvice& a : advice) {
    const int value = hundredths(a.value, -32768, 32767);
    // The difference of the displayed values, so that they agree.
    const int gap = std::clamp(value - hundredths(a.second_value, -32768, 32767), 0, 65535);
    add(a.best);
    add(a.second);
    add(value);
    add(value >> 8);
    add(gap);
    add(gap >> 8);
    add(hundredths(a.foul, 0, 100));
    add(hundredths(a.fantasyland, 0, 100));
  }
  return bytes;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = i; j < i + 3; ++j)
      group = group << 8 | (j < bytes.size() ? static_cast<unsigned char>(bytes[j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += i + j > bytes.size() ? '=' : kDigits[group >> (18 - 6 * j) & 63];
  }
  return text;
}

std::string opening_search(const std::vector<OpeningAdvice>& advice) {
  std::string xml =
      "<div id=\"opening-search\" class=\"wide\" hidden=\"hidden\">\n<p><label>Cards: <input id=\"opening-cards\" "
      "type=\"search\" value=\"As Kd Qd 7c 2h\" size=\"22\" autocomplete=\"off\" spellcheck=\"false\"/></label> or "
      "ranks alone, such as QQ7</p>\n<p id=\"opening-say\" role=\"status\"></p>\n<div "
      "class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">cards</th><th scope=\"col\">front / middle / "
      "back</th><th scope=\"col\">value</th><th scope=\"col\">next best</th><th scope=\"col\">value</th><th "
      "scope=\"col\">fouls</th><th scope=\"col\">Fantasyland</th></tr></thead>\n<tbody "
      "id=\"opening-rows\"></tbody></table></div>\n</div>\n<noscript><p>To search the chart in this page its script "
      "must be allowed; openings.txt beside it holds the same chart as text.</p></noscript>\n<script "
      "type=\"text/plain\" id=\"opening-table\">";
  xml += base64(packed_chart(advice));
  xml += "</script>\n<script>//<![CDATA[";
  xml += kScript;
  xml += "//]]></script>\n";
  return xml;
}

}  // namespace dealer::studies::fantasyland
