#include <gtest/gtest.h>

#include "agents/tabular/mccfr.h"

namespace dealer::tabular::regret_tables_test {
namespace {

// Iterations add their weights: with three tables 0 and 3 are those of the first, 1 and 4 of the second.
TEST(RegretTables, TakeTurnsAndCountLaterIterationsMore) {
  for (const int threads : {1, 2}) {
    RegretTables<double> tables(1, 3, 1, 0, threads);
    const auto add = [](RegretTable<double>& table, double weight, RandomStream&) {
      table.regret[0] += weight;
      table.sum[0] += 10 * weight;
    };
    tables.run(5, add);
    EXPECT_EQ(tables.iterations(), 5);
    EXPECT_EQ(tables.sum(), std::vector<double>{70});
    EXPECT_EQ(tables.current().regret[0], 1) << "the third is next";
    tables.run(1, add);
    EXPECT_EQ(tables.sum(), std::vector<double>{90});
    EXPECT_EQ(tables.current().regret[0], 3);
    TensorFile file;
    tables.save(file);
    RegretTables<double> again(1, 3, 1, 0, threads);
    again.load(file);
    again.run(1, add);
    EXPECT_EQ(again.sum(), std::vector<double>{120});
    EXPECT_TRUE(again.finite());
  }
  RegretTables<double> same(1, 1, 0, 0, 1);
  same.run(4, [](RegretTable<double>& table, double weight, RandomStream&) { table.sum[0] += weight; });
  EXPECT_EQ(same.sum(), std::vector<double>{4}) << "without gamma all count alike";
}

}  // namespace
}  // namespace dealer::tabular::regret_tables_test
