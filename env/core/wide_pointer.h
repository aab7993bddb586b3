#pragma once

#include <cstdint>
#include <type_traits>

namespace dealer {

// A pointer of 8 bytes where pointers have 4, so that what lies behind it needs no padding.
template <class T>
class PaddedPointer {
 public:
  constexpr PaddedPointer(T* pointer = nullptr) : pointer_(pointer) {}
  constexpr operator T*() const { return pointer_; }
  constexpr T* operator->() const { return pointer_; }

 private:
  T* pointer_;
  [[maybe_unused]] std::uint32_t padding_ = 0;
};

// Takes 8 bytes on any machine.
template <class T>
using WidePointer = std::conditional_t<sizeof(T*) == 8, T*, PaddedPointer<T>>;

}  // namespace dealer
