// Compiles and links where libtorch has Gloo and the headers of Gloo that fit it are there; see FindOrUseTorch.cmake.
#define USE_C10D_GLOO
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

int main() {
  auto store = c10::make_intrusive<c10d::TCPStore>("localhost", c10d::TCPStoreOptions{});
  auto options = c10d::ProcessGroupGloo::Options::create();
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("localhost"));
  c10d::ProcessGroupGloo group(store, 0, 1, options);
  return group.getSize() == 1 ? 0 : 1;
}
