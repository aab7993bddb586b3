#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agents/nn/safetensors.h"
#include "agents/policy/policy_network.h"
#include "env/core/random.h"

namespace dealer {

struct LeagueSettings {
  enum class Choice { kLatest, kUniform, kPrioritised };

  double share = 0;  // of the tables
  int size = 8;      // past selves that are kept
  int every = 50;    // iterations between two of them
  Choice choice = Choice::kUniform;
  std::vector<std::string> members = {};  // files of models that are in from the start, and stay
};

// Past selves to play against, so that what beat them is not forgotten, and others that are given, such as best
// responses. The oldest past self leaves when a new one comes.
class League {
 public:
  explicit League(const LeagueSettings& settings) : settings_(settings) {}

  bool empty() const { return members_.empty(); }
  // One that stays. Precondition: no past self is in yet, and the settings name as many.
  void add_given(std::vector<PolicyNetwork::Layer> layers) { members_.push_back({std::move(layers), 0, false}); }
  // Takes the network in when it is time.
  void consider(const std::vector<PolicyNetwork::Layer>& layers, std::int64_t iteration);
  // Whom to play next: the newest, any, or those who do best against the learner more often (prioritised fictitious
  // self-play, Vinyals et al. 2019): in proportion to exp(-result / unit). Precondition: not empty.
  std::size_t choose(RandomStream& rng, double unit) const;
  const std::vector<PolicyNetwork::Layer>& layers(std::size_t member) const { return members_[member].layers; }
  // Episodes of the learner against a member, and what it won in them.
  void record(std::size_t member, std::int64_t episodes, double won);

  void save(TensorFile& file) const;
  // widths: of the player's layers, inputs first. Throws CheckpointError.
  void load(const TensorFile& file, const std::vector<PolicyNetwork::Layer>& like);

 private:
  struct Member {
    std::vector<PolicyNetwork::Layer> layers;
    double result = 0;  // running average of the learner's, in the game's unit
    bool met = false;
  };

  std::size_t given() const { return settings_.members.size(); }

  LeagueSettings settings_;
  std::deque<Member> members_;  // those given, then the oldest first
};

}  // namespace dealer
