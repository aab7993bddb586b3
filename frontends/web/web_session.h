#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "frontends/web/web_tables.h"

namespace dealer::web {

// A page at a table, over its WebSocket.
class WebSession final : public PeerSession {
 public:
  WebSession(WebTables& tables, double messages_per_second) : tables_(tables), rate_(messages_per_second) {}
  ~WebSession() override;

  void connected(const std::shared_ptr<PeerLink>& link) override { visitor_ = tables_.visit(link); }
  void take(std::string_view line, std::string& out) override;
  bool greeted() const override { return greeted_; }
  bool thinks() const override { return false; }
  double pause() const override;
  bool over() const override { return !problem_.empty(); }
  const std::string& problem() const override { return problem_; }

 private:
  WebTables& tables_;
  const double rate_;
  std::shared_ptr<WebTables::Visitor> visitor_;
  bool greeted_ = false;
  std::string problem_;
  double free_at_ = 0;  // steady seconds: when what was sent so far would have come at the rate allowed
};

}  // namespace dealer::web
