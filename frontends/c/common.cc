// Errors, memory and other helpers shared by all functions of the interface.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "env/core/env_text.h"
#include "env/core/error.h"
#include "env/core/version.h"
#include "frontends/c/handles.h"

namespace dealer::capi {
namespace {

// The text of dc_last_error(). Storing it must not fail when memory is exhausted.
class LastError {
 public:
  void set(const char* message) noexcept {
    try {
      text_ = message;
      shown_ = text_.c_str();
    } catch (...) {
      shown_ = "out of memory";
    }
  }
  const char* text() const noexcept { return shown_; }

 private:
  std::string text_;
  const char* shown_ = "";
};

LastError& last_error() noexcept {
  thread_local LastError error;
  return error;
}

dc_status noted(dc_status status, const char* message) noexcept {
  last_error().set(message);
  return status;
}

void* allocate(std::size_t size) {
  void* const memory = std::malloc(size);  // NOLINT(cppcoreguidelines-no-malloc): C callers release it
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

dc_status note_exception() noexcept {
  try {
    throw;
  } catch (const IllegalAction& error) {
    return noted(DC_ILLEGAL_ACTION, error.what());
  } catch (const ConfigError& error) {
    return noted(DC_CONFIG, error.what());
  } catch (const ParseError& error) {
    return noted(DC_PARSE, error.what());
  } catch (const UsageError& error) {
    return noted(DC_USAGE, error.what());
  } catch (const FileError& error) {
    return noted(DC_FILE, error.what());
  } catch (const CheckpointError& error) {
    return noted(DC_CHECKPOINT, error.what());
  } catch (const std::bad_alloc&) {
    return noted(DC_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return noted(DC_FAILURE, error.what());
  } catch (...) {
    return noted(DC_FAILURE, "an unknown error");
  }
}

void need(const void* pointer, std::string_view what) {
  if (pointer == nullptr) throw UsageError(fmt::format("{} is NULL", what));
}

void need_count(std::string_view buffer, std::size_t given, std::size_t expected) {
  if (given != expected) throw UsageError(fmt::format("{} has room for {}; expected {}", buffer, given, expected));
}

void need_index(std::string_view what, std::int64_t index, std::int64_t end) {
  if (index < 0 || index >= end)
    throw UsageError(end > 0 ? fmt::format("there is no {} {}; expected 0 to {}", what, index, end - 1)
                             : fmt::format("there is no {} {}: there are none", what, index));
}

void need_same_game(std::string_view what, const Game& given, const Game& expected) {
  if (given.id().rules != expected.id().rules)
    throw UsageError(fmt::format("{} of '{}' given; expected one of '{}'", what, given.spec(), expected.spec()));
}

std::string illegal_reason(const Decision& decision, LegalMask legal, const AmountRange& amounts, const Game& game) {
  if (decision.is_amount())
    return amounts.contains(decision.amount) ? "" : illegal_amount_message(decision.amount, amounts);
  return in_mask(decision.action, legal) ? "" : illegal_action_message(decision.action, legal, game.num_actions());
}

void* new_bytes(std::string_view bytes) {
  void* const copy = allocate(bytes.size() + 1);
  std::memcpy(copy, bytes.data(), bytes.size());
  static_cast<char*>(copy)[bytes.size()] = '\0';
  return copy;
}

char* new_text(std::string_view text) { return static_cast<char*>(new_bytes(text)); }

void give_bytes(std::string_view from, void** bytes, std::size_t* size) {
  need(bytes, "bytes");
  need(size, "size");
  *bytes = new_bytes(from);
  *size = from.size();
}

void give_list(const std::vector<std::string>& texts, char*** names, std::size_t* count) {
  need(names, "names");
  need(count, "count");
  std::size_t size = 0;
  for (const std::string& text : texts) size += sizeof(char*) + text.size() + 1;
  char** const list = static_cast<char**>(allocate(size + 1));
  char* end = reinterpret_cast<char*>(list + texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    list[i] = end;
    std::memcpy(end, texts[i].c_str(), texts[i].size() + 1);
    end += texts[i].size() + 1;
  }
  *names = list;
  *count = texts.size();
}

void read_observation(const Game& game, const dc_observation& from, Observation& to) {
  need(from.data, "observation->data");
  need_count("observation->data", from.size, static_cast<std::size_t>(game.observation_spec().size()));
  need_index("seat", from.player, game.players());
  const int actions = game.num_actions();
  if (actions < kMaxActions && from.legal_mask >> actions != 0)
    throw UsageError(fmt::format("observation->legal_mask has actions beyond {}", actions - 1));
  if (from.amounts.high > 0 && (from.amounts.step < 1 || from.amounts.low < 1))
    throw UsageError(fmt::format("observation->amounts from {} in steps of {}; expected 1 or more", from.amounts.low,
                                 from.amounts.step));
  to.player = from.player;
  to.data.assign(from.data, from.data + from.size);
  to.legal_mask = from.legal_mask;
  to.amounts = {from.amounts.low, from.amounts.high, from.amounts.step};
}

dc_amounts to_c(const AmountRange& range) { return {range.low, range.high, range.step}; }

Decision from_c(const dc_decision& decision) {
  return decision.action == DC_NO_ACTION ? Decision::bet_to(decision.amount) : Decision(decision.action);
}

dc_decision to_c(const Decision& decision) { return {decision.action, decision.amount}; }

}  // namespace dealer::capi

const char* dc_status_name(dc_status status) {
  static constexpr const char* kNames[] = {"ok",    "failure", "usage",      "config", "illegal action",
                                           "parse", "file",    "checkpoint", "memory"};
  return status >= DC_OK && status <= DC_MEMORY ? kNames[status] : "unknown";
}

const char* dc_last_error() { return dealer::capi::last_error().text(); }

void dc_free(void* memory) { std::free(memory); }  // NOLINT(cppcoreguidelines-no-malloc)

const char* dc_version() {
  static const std::string kVersion = dealer::version();
  return kVersion.c_str();
}

int32_t dc_abi_version() { return DC_ABI_VERSION; }
