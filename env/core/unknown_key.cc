#include "env/core/unknown_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "env/core/nearest.h"

namespace dealer {

UnknownKeyError::UnknownKeyError(std::string place, std::string section, std::string key,
                                 std::vector<std::string> allowed)
    : ConfigError([&] {
        const std::string near = nearest(key, allowed);
        return fmt::format("{}: unknown key '{}{}'{} allowed: {}", place, section, key,
                           near.empty() ? ";" : fmt::format("; did you mean '{}{}'?", section, near),
                           allowed.empty() ? "none" : fmt::format("{}", fmt::join(allowed, ", ")));
      }()),
      place_(std::move(place)),
      section_(std::move(section)),
      key_(std::move(key)),
      allowed_(std::move(allowed)) {}

}  // namespace dealer
