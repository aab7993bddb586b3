#pragma once

#include <exception>
#include <string>

namespace dealer::test {

// The message of the Error that f() throws; a text no message equals when it throws nothing or something else.
template <class Error, class F>
std::string error_message(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("(another type of error: ") + error.what() + ")";
  }
  return "(no error)";
}

}  // namespace dealer::test
