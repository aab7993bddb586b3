#pragma once

#include <array>
#include <cstddef>

namespace dealer::ofc {

// Expected points, from one player's side against one other, of the hands that follow while somebody is in
// Fantasyland: nothing is dealt yet, so who is in Fantasyland and who deals is all there is to know.
class ChainValues {
 public:
  double operator()(bool own, bool other, bool own_deals) const { return value_[index(own, other, own_deals)]; }
  double& at(bool own, bool other, bool own_deals) { return value_[index(own, other, own_deals)]; }
  // Of being in Fantasyland against a normal player, the mean over who deals.
  double fantasyland() const { return (value_[index(true, false, false)] + value_[index(true, false, true)]) / 2; }
  std::array<double, 8>& data() { return value_; }
  const std::array<double, 8>& data() const { return value_; }

 private:
  static std::size_t index(bool own, bool other, bool own_deals) {
    return (own ? 4U : 0U) + (other ? 2U : 0U) + (own_deals ? 1U : 0U);
  }
  std::array<double, 8> value_{};
};

}  // namespace dealer::ofc
