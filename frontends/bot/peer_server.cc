#include "frontends/bot/peer_server.h"

#include <fmt/format.h>

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "agents/remote/link.h"
#include "env/core/error.h"
#include "env/core/worker_pool.h"
#include "frontends/bot/peers.h"

namespace dealer {
namespace {

using boost::system::error_code;

tcp::endpoint endpoint_of(asio::io_context& io, const PeerServerOptions& options) {
  tcp::resolver resolver(io);
  error_code error;
  const auto found = resolver.resolve(options.host, std::to_string(options.port),
                                      tcp::resolver::passive | tcp::resolver::numeric_service, error);
  if (error || found.empty())
    throw UsageError(
        fmt::format("'{}' is not an address to listen at; expected one as 127.0.0.1 or localhost", options.host));
  return *found.begin();
}

}  // namespace

// One thread reads, writes and greets; slow work runs in others.
class PeerServer::Impl {
 public:
  Impl(const PeerServerOptions& options, PeerHandlers handlers, const PeerServer& server)
      : options_(options),
        handlers_(std::move(handlers)),
        context_{options_,
                 pages_,
                 handlers_,
                 [&server](const std::string& line) {
                   if (server.log) server.log(line);
                 },
                 workers_,
                 open},
        endpoint_(endpoint_of(io_, options)),
        pages_(endpoint_.address().to_string(), options.allowed_origins),
        acceptor_(io_),
        pause_(io_),
        workers_(static_cast<std::size_t>(thread_count(options.threads))) {
    error_code error;
    acceptor_.open(endpoint_.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(endpoint_, error);
    if (!error) acceptor_.listen(4096, error);
    if (error)
      throw Error(fmt::format("cannot listen at {}: {}",
                              remote::host_and_port(options.host, std::to_string(options.port)), error.message()));
  }
  ~Impl() {
    workers_.stop();
    workers_.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  void run() {
    accept();
    io_.run();
  }
  void stop() { io_.stop(); }

  std::atomic<int> open{0};
  std::atomic<std::int64_t> refused{0};

 private:
  void accept() {
    acceptor_.async_accept(asio::make_strand(io_), [this](error_code error, Socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {
        // No descriptor is left: wait for connections to end.
        pause_.expires_after(std::chrono::milliseconds(10));
        pause_.async_wait([this](error_code) { accept(); });
        return;
      }
      welcome(std::move(socket));
      accept();
    });
  }

  void welcome(Socket socket) {
    error_code error;
    const tcp::endpoint from = socket.remote_endpoint(error);
    socket.set_option(tcp::no_delay(true), error);
    if (open >= options_.max_connections) {
      ++refused;
      return turn_away(std::move(socket));
    }
    if (!error)
      start_peer(context_, std::move(socket),
                 remote::host_and_port(from.address().to_string(), std::to_string(from.port())));
  }

  const PeerServerOptions options_;
  const PeerHandlers handlers_;
  PeerContext context_;
  asio::io_context io_;
  const tcp::endpoint endpoint_;
  const WebOriginPolicy pages_;
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  asio::thread_pool workers_;
};

PeerServer::PeerServer(const PeerServerOptions& options, PeerHandlers handlers)
    : impl_(std::make_unique<Impl>(options, std::move(handlers), *this)) {}
PeerServer::~PeerServer() = default;
std::uint16_t PeerServer::port() const { return impl_->port(); }
void PeerServer::run() { impl_->run(); }
void PeerServer::stop() { impl_->stop(); }
int PeerServer::connections() const { return impl_->open; }
std::int64_t PeerServer::refused() const { return impl_->refused; }

}  // namespace dealer
