#include "agents/nn/safetensors.h"

#include <fstream>
#include <random>
#include <variant>

#include "tests/support/file_limit.h"
#include "tests/support/peak_memory.h"
#include "tests/support/raw_safetensors.h"
#include "tests/support/testing.h"

namespace dealer::safetensors_test {
namespace {

namespace fs = std::filesystem;
using test::error_message;
using test::TempFolder;

TensorFile sample() {
  TensorFile file;
  using Limits = std::numeric_limits<float>;
  file.tensors["layer.0.weight"] = {
      {2, 3}, std::vector<float>{Limits::lowest(), -2.5F, Limits::denorm_min(), -0.0F, 1e-38F, Limits::max()}};
  file.tensors["layer.0.bias"] = {{3}, std::vector<float>{0.1F, 0.2F, 0.3F}};
  file.tensors["scalar"] = {{}, std::vector<double>{1.0 / 3.0}};
  file.tensors["counts"] = {{2, 1}, std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), 1}};
  file.tensors["state"] = {{5}, std::vector<std::uint8_t>{0, 1, 127, 128, 255}};
  file.tensors["empty"] = {{0, 7}, std::vector<float>{}};
  file.metadata = {{"game", "ofc"}, {"note", "quotes \" and ü\n"}};
  return file;
}

std::string bytes_of(const TensorFile& content) {
  const TempFolder folder;
  write_safetensors(folder / "x", content);
  return test::read_bytes(folder / "x");
}

// A file with a hand-written header.
std::string with_header(const std::string& header, std::size_t data = 0) {
  const std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + std::string(data, '\x01');
}

std::string refusal(const std::string& bytes) {
  return error_message<CheckpointError>([&] { parse_safetensors(bytes, "x"); });
}

TEST(Safetensors, RoundTrip) {
  const TempFolder folder;
  const fs::path path = folder / "a.safetensors";
  const TensorFile written = sample();
  write_safetensors(path, written);
  const TensorFile read = read_safetensors(path);
  EXPECT_EQ(read.tensors, written.tensors);
  EXPECT_TRUE(std::signbit(read.get<float>("layer.0.weight", {2, 3})[3]));
  EXPECT_EQ(read.metadata, written.metadata);
  EXPECT_EQ(read.name, path.string());
  EXPECT_EQ(bytes_of(read), test::read_bytes(path));
  EXPECT_TRUE(parse_safetensors(bytes_of({}), "x").tensors.empty());
  const TensorFile wide = parse_safetensors(
      with_header(R"({"w":{"dtype":"F64","shape":[0,4611686018427387904],"data_offsets":[0,0]}})"), "x");
  EXPECT_TRUE(wide.get<double>("w", {0, std::int64_t{1} << 62}).empty());
}

// The format as other programs read it: lengths, alignment, order.
TEST(Safetensors, LayoutOfTheBytes) {
  TensorFile file;
  file.tensors["b"] = {{1}, std::vector<std::uint8_t>{9}};
  file.tensors["a"] = {{2}, std::vector<float>{1, 2}};
  file.tensors["c"] = {{1}, std::vector<std::int64_t>{3}};
  const std::string bytes = bytes_of(file);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
  ASSERT_EQ(bytes.size(), 8 + length + 8 + 8 + 1);
  const std::string header = bytes.substr(8, length);
  EXPECT_EQ(header.rfind(R"({"__metadata__":{"crc32c":")", 0), 0U) << header;
  EXPECT_TRUE(test::has(header, R"("a":{"data_offsets":[8,16],"dtype":"F32","shape":[2]})"));
  EXPECT_TRUE(test::has(header, R"("b":{"data_offsets":[16,17],"dtype":"U8","shape":[1]})"));
  EXPECT_TRUE(test::has(header, R"("c":{"data_offsets":[0,8],"dtype":"I64","shape":[1]})"));
  EXPECT_EQ(bytes.substr(8 + length), std::string("\3\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\x40\x09", 17));
}

// 1, the nearest to 0.1 and to 1/3, the smallest, the largest: IEEE 754 binary16.
TEST(Safetensors, HalfPrecision) {
  TensorFile file;
  file.tensors["b"] = {{1}, std::vector<std::uint8_t>{9}};
  file.tensors["a"] = {{5}, std::vector<float>{1, 0.1F, -1 / 3.0F, 0x1p-24F, 65504}, true};
  const std::string bytes = bytes_of(file);
  EXPECT_TRUE(test::has(bytes, R"("a":{"data_offsets":[0,10],"dtype":"F16","shape":[5]})")) << bytes;
  EXPECT_EQ(bytes.substr(bytes.size() - 11), std::string("\x00\x3c\x66\x2e\x55\xb5\x01\x00\xff\x7b\x09", 11));
  TensorFile read = parse_safetensors(bytes, "x");
  EXPECT_TRUE(read.tensors["a"].half);
  EXPECT_EQ(read.get<float>("a"), (std::vector<float>{1, 0x1.998p-4F, -0x1.554p-2F, 0x1p-24F, 65504}));
  EXPECT_EQ(rounded_to_half(0.1F), 0x1.998p-4F);
  EXPECT_EQ(bytes_of(read), bytes);
  file.tensors["a"] = {{1}, std::vector<float>{65520}, true};
  const TempFolder folder;
  EXPECT_TRUE(test::has(error_message<CheckpointError>([&] { write_safetensors(folder / "a", file); }),
                        "tensor 'a' holds a number that is not finite"));
}

TEST(Safetensors, ReadsFilesOfOthers) {
  const TensorFile read = parse_safetensors(
      with_header(
          R"({ "w" :{"dtype":"U8","shape":[2,2],"data_offsets":[0,4]},"v":{"dtype":"U8","shape":[],"data_offsets":[4,5]}}   )",
          5),
      "x");
  EXPECT_EQ(read.get<std::uint8_t>("w", {2, 2}), (std::vector<std::uint8_t>{1, 1, 1, 1}));
  EXPECT_EQ(read.get<std::uint8_t>("v", {}), (std::vector<std::uint8_t>{1}));
}

TEST(Safetensors, AccessorsCheckNameTypeAndShape) {
  TensorFile file = sample();
  file.name = "x";
  EXPECT_EQ(file.get<float>("layer.0.bias", {3}).size(), 3U);
  EXPECT_EQ(file.get<std::uint8_t>("state").size(), 5U);
  EXPECT_EQ(file.meta("game"), "ofc");
  const auto message = [&](auto read) { return error_message<CheckpointError>(read); };
  const std::string weight = "x: tensor 'layer.0.weight' is F32 [2, 3]; expected F32 ";
  EXPECT_EQ(message([&] { file.get<float>("bias", {3}); }), "x: has no tensor 'bias'");
  EXPECT_EQ(message([&] { file.get<float>("none"); }), "x: has no tensor 'none'");
  EXPECT_EQ(message([&] { file.get<float>("layer.0.weight", {6}); }), weight + "[6]");
  EXPECT_EQ(message([&] { file.get<float>("layer.0.weight"); }), weight + "[n]");
  EXPECT_TRUE(test::has(message([&] { file.get<double>("layer.0.bias", {3}); }), "is F32 [3]; expected F64 [3]"));
  EXPECT_EQ(message([&] { file.meta("version"); }), "x: has no metadata 'version'");
}

TEST(Safetensors, RefusesMalformedHeaders) {
  const std::string start = "x: malformed or no safetensors file: ";
  EXPECT_EQ(refusal(""), start + "it has 0 bytes; expected at least 8");
  EXPECT_EQ(refusal("1234567"), start + "it has 7 bytes; expected at least 8");
  EXPECT_EQ(refusal(std::string(8, '\0')), start + "a header of 0 bytes; expected 2 to 0");
  EXPECT_EQ(refusal(std::string(100, '\xff')), start + "a header of 18446744073709551615 bytes; expected 2 to 92");
  EXPECT_EQ(refusal(with_header("{" + std::string(std::size_t{4} << 20, ' '))),
            start + "a header of 4194305 bytes; expected 2 to 4194304");
  EXPECT_EQ(refusal(with_header(" {}")), start + "the header does not start with '{'");
  for (const std::string& header : std::vector<std::string>{"{]", "{\"\xff\":1}", "{} {}", std::string(100000, '{')})
    EXPECT_EQ(refusal(with_header(header)), start + "the header is not a JSON object");
  EXPECT_EQ(refusal(with_header("{\"__metadata__\":[]}")), start + "__metadata__ is not a JSON object");
  EXPECT_EQ(refusal(with_header("{\"__metadata__\":{\"a\":1}}")), start + "__metadata__ \"a\" is not a string");
  EXPECT_EQ(refusal(with_header("{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}")),
            start + "the header gives \"a\" twice");
  EXPECT_EQ(refusal(with_header("{}", 1)), start + "1 bytes of tensors; expected 0");
  std::string deep = "{\"a\":";
  for (int i = 0; i < 100000; ++i) deep += "[";
  EXPECT_EQ(refusal(with_header(deep + std::string(100000, ']') + "}")).rfind(start, 0), 0U);
}

TEST(Safetensors, RefusesMalformedEntries) {
  const auto one = [](const std::string& dtype, const std::string& shape, const std::string& offsets,
                      std::size_t data) {
    const std::string start = "x: malformed or no safetensors file: tensor \"w\": ";
    const std::string message = refusal(with_header(
        "{\"w\":{\"dtype\":" + dtype + ",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}}", data));
    return message.rfind(start, 0) == 0 ? message.substr(start.size()) : message;
  };
  EXPECT_EQ(one("\"F32\"", "[1]", "[0,4]", 4), "(no error)");
  EXPECT_EQ(one("\"BF16\"", "[1]", "[0,2]", 2), "dtype \"BF16\"; expected F32, F64, I64, U8 or F16");
  const std::string wrong = "expected dtype (a name), shape and data_offsets (lists); wrong or missing: ";
  EXPECT_EQ(one("3", "[1]", "[0,4]", 4), wrong + "dtype");
  EXPECT_EQ(one("\"F32\"", "1", "[0,4]", 4), wrong + "shape");
  EXPECT_EQ(one("\"F32\"", "[1]", "{}", 4), wrong + "data_offsets");
  EXPECT_EQ(one("\"F32\"", "[1]", "[0]", 4), "data_offsets are not two");
  const std::string no_number = "a length or offset is not a whole number from 0 to 2^63 - 1";
  EXPECT_EQ(one("\"F32\"", "[-1]", "[0,4]", 4), no_number);
  EXPECT_EQ(one("\"F32\"", "[1.0]", "[0,4]", 4), no_number);
  EXPECT_EQ(one("\"F32\"", "[9223372036854775808]", "[0,4]", 4), no_number);
  EXPECT_EQ(one("\"F32\"", "[1]", "[0,\"4\"]", 4), no_number);
  EXPECT_EQ(one("\"F32\"", "[2]", "[0,4]", 4), "F32 of shape [2] in bytes 0 to 4; expected 8 bytes");
  EXPECT_EQ(one("\"F32\"", "[1]", "[4,0]", 4), "F32 of shape [1] in bytes 4 to 0; expected 4 bytes");
  EXPECT_EQ(one("\"U8\"", "[4294967296,4294967296]", "[0,0]", 0),
            "U8 of shape [4294967296, 4294967296] in bytes 0 to 0; expected too many bytes");
  EXPECT_EQ(one("\"F32\"", "[4611686018427387904]", "[0,0]", 0),
            "F32 of shape [4611686018427387904] in bytes 0 to 0; expected too many bytes");
  EXPECT_EQ(one("\"F32\"", "[1]", "[4,8]", 8), "begins at byte 4; expected 0");
  EXPECT_EQ(one("\"F32\"", "[1]", "[0,4]", 3), "x: malformed or no safetensors file: 3 bytes of tensors; expected 4");
  EXPECT_EQ(one("\"F32\"", "[1]", "[0,4]", 5), "x: malformed or no safetensors file: 5 bytes of tensors; expected 4");
  EXPECT_EQ(
      refusal(with_header(
          R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
          3)),
      "x: malformed or no safetensors file: tensor \"b\": begins at byte 1; expected 2");
}

TEST(Safetensors, RefusesEveryTruncationAndTrailingBytes) {
  const std::string bytes = bytes_of(sample());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    ASSERT_NE(refusal(bytes.substr(0, length)), "(no error)") << length;
  EXPECT_EQ(refusal(bytes), "(no error)");
  EXPECT_NE(refusal(bytes + std::string(1, '\0')), "(no error)");
}

// The checksum covers everything except the spelling of the header: what still loads is unchanged.
TEST(Safetensors, EveryFlippedBitIsRefusedOrHarmless) {
  const TensorFile original = sample();
  const std::string bytes = bytes_of(original);
  const std::size_t key = bytes.find("crc32c");
  int harmless = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string malformed = bytes;
    malformed[bit / 8] = static_cast<char>(malformed[bit / 8] ^ (1 << (bit % 8)));
    try {
      const TensorFile read = parse_safetensors(malformed, "x");
      ++harmless;
      ASSERT_EQ(read.tensors, original.tensors) << bit;
      // Only the name of the checksum itself can be lost, and with it the check.
      if (bit / 8 < key || bit / 8 >= key + 6) {
        ASSERT_EQ(read.metadata, original.metadata) << bit;
      }
    } catch (const CheckpointError&) {
    }
  }
  EXPECT_LT(harmless, 100);
}

// All elements implied by the shapes must be present, for any mutation of the bytes.
TEST(Safetensors, MutatedFilesOfOthersAreReadOrRefused) {
  const std::string base = with_header(
      R"({"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"__metadata__":{"a":"b"},"v":{"dtype":"I64","shape":[1],"data_offsets":[24,32]}})",
      32);
  const std::string alphabet = "0123456789[]{},:\"FIU-.e \\n";
  std::mt19937 random(3);
  int loaded = 0;
  constexpr int kRounds = 10000;
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = base;
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const char any[] = {static_cast<char>(random() & 0xff), alphabet[random() % alphabet.size()],
                          bytes[random() % bytes.size()]};
      bytes[random() % bytes.size()] = any[random() % 3];
    }
    try {
      for (const auto& [name, tensor] : parse_safetensors(bytes, "x").tensors) {
        const auto count =
            std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1}, std::multiplies<>());
        ASSERT_EQ(std::visit([](const auto& values) { return values.size(); }, tensor.data), at(count)) << name;
      }
      ++loaded;
    } catch (const CheckpointError&) {
    }
  }
  EXPECT_GT(loaded, kRounds / 50);
  EXPECT_LT(loaded, kRounds / 2);
}

TEST(Safetensors, RefusesToWriteWhatItCouldNotRead) {
  const TempFolder folder;
  const fs::path path = folder / "a";
  TensorFile taken, large;
  taken.metadata["crc32c"] = "0";
  large.metadata = {{"long", std::string(std::size_t{4} << 20, 'x')}};
  const auto with = [](const char* name, std::vector<std::int64_t> shape, std::size_t size) {
    TensorFile file;
    file.tensors[name] = {std::move(shape), std::vector<float>(size)};
    return file;
  };
  for (const auto& [file, why] : std::vector<std::pair<TensorFile, std::string>>{
           {with("w", {2, 2}, 3), "tensor 'w' has 12 bytes, not those of F32 [2, 2]"},
           {with("w", {-1}, 0), "tensor 'w' has 0 bytes, not those of F32 [n]"},
           {with("__metadata__", {0}, 0), "'__metadata__' is not a name for a tensor"},
           {with("\xff", {0}, 0), "a name or metadata is not UTF-8 text"},
           {taken, "the metadata key 'crc32c' is taken"},
           {large, "too many tensors for one file"}})
    EXPECT_EQ(error_message<CheckpointError>([&, &what = file] { write_safetensors(path, what); }),
              path.string() + ": " + why);
  EXPECT_FALSE(fs::exists(path));
}

// Non-finite weights cause nonsensical play, and nothing detects them later.
TEST(Safetensors, NumbersThatAreNotFiniteAreNeitherWrittenNorRead) {
  const TempFolder folder;
  const fs::path path = folder / "a";
  write_safetensors(path, sample());
  const std::string before = test::read_bytes(path);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {infinity, -infinity, std::nan("")}) {
    for (const char* name : {"layer.0.bias", "scalar"}) {
      TensorFile file = sample();
      std::visit([&](auto& values) { values.back() = static_cast<std::decay_t<decltype(values[0])>>(wrong); },
                 file.tensors[name].data);
      const std::string what = fmt::format(": tensor '{}' holds a number that is not finite", name);
      EXPECT_EQ(error_message<CheckpointError>([&] { write_safetensors(path, file); }),
                path.string() + what + "; nothing is written");
      EXPECT_EQ(test::read_bytes(path), before);
      EXPECT_EQ(refusal(test::raw_safetensors(file)), "x" + what);
    }
  }

  EXPECT_EQ(parse_safetensors(test::raw_safetensors(sample()), "x").tensors, sample().tensors);
}

TEST(Safetensors, AFullDiskLeavesTheOldFile) {
  const TempFolder folder;
  const fs::path path = folder / "a.safetensors";
  write_safetensors(path, sample());
  TensorFile large;
  large.tensors["w"] = {{100000}, std::vector<float>(100000)};
  {
    const test::FileLimit limit(4096);
    EXPECT_EQ(error_message<FileError>([&] { write_safetensors(path, large); }),
              "cannot write " + path.string() + ": File too large");
  }
  EXPECT_EQ(read_safetensors(path).tensors, sample().tensors);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(Safetensors, SaysWhyAFileCannotBeRead) {
  const TempFolder folder;
  const fs::path absent = folder / "none.safetensors";
  EXPECT_EQ(error_message<FileError>([&] { read_safetensors(absent); }),
            "cannot read " + absent.string() + ": No such file or directory");
  EXPECT_EQ(error_message<FileError>([] { read_safetensors("/dev/zero"); }), "cannot read /dev/zero: it is a device");
  test::write_bytes(folder / "t", "not weights at all, but a text of some length");
  EXPECT_EQ(error_message<CheckpointError>([&] {
              read_safetensors(folder / "t");
            }).rfind((folder / "t").string() + ": malformed or no safetensors file: a header of ", 0),
            0U);
}

// Parsing a header takes many times its size, and its declared length is arbitrary.
TEST(Safetensors, ALongHeaderIsRefusedBeforeItIsParsed) {
  const TempFolder folder;
  {
    // Never held in memory as a whole, which would be the peak.
    std::ofstream out(folder / "t", std::ios::binary);
    out << with_header("{ ").substr(0, 8) << R"({"w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
    for (int i = 0; out.tellp() < std::streamoff{48} << 20; ++i)
      out << ",\"" << i << R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
    out << '}';
    const std::uint64_t length = static_cast<std::uint64_t>(out.tellp()) - 8;
    out.seekp(0).write(reinterpret_cast<const char*>(&length), sizeof length);
  }
  const std::int64_t before = test::peak_memory();
  const std::string start = (folder / "t").string() + ": malformed or no safetensors file: a header of ";
  EXPECT_EQ(error_message<CheckpointError>([&] { read_safetensors(folder / "t"); }).rfind(start, 0), 0U);
  EXPECT_EQ(error_message<CheckpointError>([&] { read_safetensors_metadata(folder / "t"); }).rfind(start, 0), 0U);
  EXPECT_LT(test::peak_memory() - before, std::int64_t{16} << 20);
}

TEST(Safetensors, AFileOfAnotherSizeThanItSaysIsNotReadToItsEnd) {
  const TempFolder folder;
  test::write_bytes(folder / "t", with_header(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4));
  EXPECT_EQ(read_safetensors(folder / "t").get<float>("w", {1}).size(), 1U);
  const auto size = fs::file_size(folder / "t");
  fs::resize_file(folder / "t", std::uintmax_t{10} << 30);
  const std::int64_t before = test::peak_memory();
  EXPECT_EQ(error_message<CheckpointError>([&] { read_safetensors(folder / "t"); }),
            (folder / "t").string() + ": malformed or no safetensors file: it has 10737418240 bytes; expected " +
                std::to_string(size));
  EXPECT_LT(test::peak_memory() - before, std::int64_t{16} << 20);
}

}  // namespace
}  // namespace dealer::safetensors_test
