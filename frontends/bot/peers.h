#pragma once

#include <atomic>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "frontends/bot/peer_server.h"
#include "frontends/bot/web_origin.h"

// The connections of a PeerServer.
namespace dealer {

namespace asio = boost::asio;
using asio::ip::tcp;
using Strand = asio::strand<asio::io_context::executor_type>;
using Socket = asio::basic_stream_socket<tcp, Strand>;
using Timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Strand>;

// Server data shared by its connections; outlives them.
struct PeerContext {
  const PeerServerOptions& options;
  const WebOriginPolicy& pages;
  const PeerHandlers& handlers;
  std::function<void(const std::string&)> log;
  asio::thread_pool& workers;  // run the slow parts of sessions
  std::atomic<int>& open;      // number of open connections
};

// Serves a new connection by TCP, WebSocket or HTTP until either side closes it.
void start_peer(PeerContext& server, Socket socket, const std::string& name);
// Answers a new connection that the server is full.
void turn_away(Socket socket);

}  // namespace dealer
