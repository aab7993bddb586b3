#include "agents/table_loop.h"
#include "env/core/error.h"
#include "python/bindings/bindings.h"

namespace dealer::python {

// The class of errors T, with its bases. Later classes are checked first, so base classes come before derived ones.
template <class T>
nb::object add_error(nb::module_& module, const char* name, const nb::object& base, const char* doc) {
  nb::object type = nb::exception<T>(module, name, base);
  type.attr("__doc__") = doc;
  return type;
}

void bind_errors(nb::module_& module) {
  const nb::object error = add_error<Error>(module, "Error", nb::borrow(PyExc_Exception),
                                            "The base class of all errors of dealers_choice. Its message is one line.");
  const auto with = [&](PyObject* base) { return nb::make_tuple(error, nb::handle(base)); };
  const nb::object usage = add_error<UsageError>(module, "UsageError", with(PyExc_ValueError),
                                                 "Something requested does not exist or is not allowed.");
  add_error<ConfigError>(module, "ConfigError", usage,
                         "A YAML file or an option that cannot be accepted; names file, line and key.");
  add_error<IllegalAction>(module, "IllegalAction", usage, "A decision that is not legal now. Nothing has changed.");
  add_error<ParseError>(module, "ParseError", usage, "Text or bytes that are not a card, spec or position.");
  add_error<FileError>(module, "FileError", with(PyExc_OSError), "A file that cannot be read or written.");
  add_error<CheckpointError>(module, "CheckpointError", error,
                             "Weights that are malformed or belong to something else.");
  add_error<AgentFailure>(
      module, "AgentFailure", error,
      "An agent of a strict match has failed, or one has never decided; names agent, seat and deal.");
}

}  // namespace dealer::python
