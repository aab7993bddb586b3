#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "agents/nn/safetensors.h"
#include "agents/policy/policy_network.h"
#include "env/core/random.h"

namespace dealer {

struct LeagueSettings {
  enum class Choice { kLatest, kUniform, kPrioritised };

  double share = 0;  // share of the tables
  int size = 8;      // past selves that are kept
  int every = 50;    // iterations between two of them
  Choice choice = Choice::kUniform;
  std::vector<std::string> members = {};  // model files that are members from the start, permanently
};

// Past selves as opponents, so that strategies against them are not forgotten, and given opponents such as best
// responses. When full, the oldest past self is removed for a new one.
class League {
 public:
  explicit League(const LeagueSettings& settings) : settings_(settings) {}

  bool empty() const { return members_.empty(); }
  // Adds a permanent member. Precondition: there are no past selves yet, and the settings name that many.
  void add_given(std::vector<PolicyNetwork::Layer> layers) { members_.push_back({std::move(layers), 0, false}); }
  // Adds the network when it is due.
  void consider(const std::vector<PolicyNetwork::Layer>& layers, std::int64_t iteration);
  // The next opponent: the newest, a random one, or more often those that beat the learner (prioritised fictitious
  // self-play, Vinyals et al. 2019): in proportion to exp(-result / unit). Precondition: not empty.
  std::size_t choose(RandomStream& rng, double unit) const;
  const std::vector<PolicyNetwork::Layer>& layers(std::size_t member) const { return members_[member].layers; }
  // Records episodes of the learner against a member, and the learner's winnings in them.
  void record(std::size_t member, std::int64_t episodes, double won);

  void save(TensorFile& file) const;
  // widths: of the player's layers, inputs first. Throws CheckpointError.
  void load(const TensorFile& file, const std::vector<PolicyNetwork::Layer>& like);

 private:
  struct Member {
    std::vector<PolicyNetwork::Layer> layers;
    double result = 0;  // running average of the learner's result, in the game's unit
    bool met = false;
  };

  std::size_t given() const { return settings_.members.size(); }

  LeagueSettings settings_;
  std::deque<Member> members_;  // the given ones, then the past selves, oldest first
};

}  // namespace dealer
