#include "train/shared_sum.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/thread_ranks.h"

namespace dealer::shared_sum_test {
namespace {

// Ranks of which one is told something else than the others.
class Misled final : public Ranks {
 public:
  Misled(Ranks& ranks, std::function<std::string(const std::string&)> hears)
      : Ranks(ranks.rank(), ranks.size(), ranks.local_rank()), ranks_(ranks), hears_(std::move(hears)) {}
  std::string name(int rank) const override { return ranks_.name(rank); }
  std::string_view sums_by() const override { return ranks_.sums_by(); }
  void sum(std::span<float> values) override { ranks_.sum(values); }
  bool sum_on_gpu(float*, std::size_t, int) override { return false; }
  std::vector<std::string> gather(const std::string& own, bool to_all) override { return ranks_.gather(own, to_all); }
  std::string from_first(const std::string& own) override {
    const std::string first = ranks_.from_first(own);
    return rank() == 1 ? hears_(first) : first;
  }
  void fail(const std::string&, int) override {}
  void set_exit_message(ExitMessage) override {}

 private:
  Ranks& ranks_;
  std::function<std::string(const std::string&)> hears_;
};

std::vector<std::filesystem::path> left_over() {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator("/dev/shm"))
    if (file.path().filename().string().starts_with("dealer-" + std::to_string(::getpid()) + "-"))
      files.push_back(file.path());
  return files;
}

TEST(SharedSum, AddsUpInTheOrderOfTheRanks) {
  constexpr std::size_t kPiece = std::size_t{1} << 19;
  for (const int size : {2, 3, 5})
    test::ThreadRanks::run(size, [&](Ranks& ranks) {
      const auto shared = SharedSum::open(ranks);
      EXPECT_NE(shared, nullptr);
      if (shared == nullptr) return;  // for all
      // In floats the order of a sum shows.
      const auto value = [](int rank, std::size_t i) {
        return rank == 0 ? 1e8F : rank == 1 ? static_cast<float>(3 * (i % 1000)) : -1e8F + static_cast<float>(rank);
      };
      for (const std::size_t count :
           {std::size_t{1}, std::size_t{0}, kPiece - 1, kPiece, 2 * kPiece + 3, std::size_t{7}}) {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = value(ranks.rank(), i);
        shared->sum(values);
        // Nobody leaves while the others wait for it.
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < count; ++i) {
          float sum = value(0, i);
          for (int r = 1; r < size; ++r) sum += value(r, i);
          wrong += values[i] != sum ? 1 : 0;
        }
        EXPECT_EQ(wrong, 0U) << "of " << count;
      }
    });
}

TEST(SharedSum, OneAfterTheOtherDoNotMix) {
  test::ThreadRanks::run(3, [](Ranks& ranks) {
    const auto shared = SharedSum::open(ranks);
    EXPECT_NE(shared, nullptr);
    if (shared == nullptr) return;
    int wrong = 0;
    for (int round = 0; round < 3000; ++round) {
      std::vector<float> values(50, static_cast<float>(round * (ranks.rank() + 1)));
      shared->sum(values);
      for (const float sum : values) wrong += sum != static_cast<float>(6 * round) ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0);
  });
}

TEST(SharedSum, LeavesNothingBehind) {
  test::ThreadRanks::run(2, [](Ranks& ranks) {
    const auto shared = SharedSum::open(ranks);
    EXPECT_NE(shared, nullptr);
    // Rank 0, which creates the name, takes it away while the memory is in use.
    if (ranks.rank() == 0) {
      EXPECT_TRUE(left_over().empty());
    }
  });
  EXPECT_TRUE(left_over().empty());
}

// One on another machine has no memory of that name, or one of another program.
TEST(SharedSum, NobodyHasItUnlessAllDo) {
  for (const bool there : {false, true})
    test::ThreadRanks::run(3, [&](Ranks& ranks) {
      Misled misled(ranks, [&](const std::string& said) {
        return there ? "1" + said.substr(said.find(' ')) : said + "-elsewhere";
      });
      EXPECT_EQ(SharedSum::open(misled), nullptr);
    });
  EXPECT_TRUE(left_over().empty());
}

}  // namespace
}  // namespace dealer::shared_sum_test
