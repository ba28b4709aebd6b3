package dev.gannet.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Servers' reports on their load, byte by byte as protobuf writes them. */
final class OrcaReportTest {
  /** cpu 0.5, request_cost {a: 1}, rps 7 (out of use), rps_fractional 2, application 0.25. */
  private static final String GOLDEN =
      "09000000000000e03f"
          + "220c0a016111000000000000f03f"
          + "1807"
          + "310000000000000040"
          + "49000000000000d03f";

  private static OrcaReport parsed(String hex) {
    return OrcaReport.parse(HexFormat.of().parseHex(hex)).orElseThrow();
  }

  private static boolean isUnreadable(String hex) {
    return OrcaReport.parse(HexFormat.of().parseHex(hex)).isEmpty();
  }

  @Test
  void aReportIsReadAsProtobufWritesIt() {
    assertThat(parsed(GOLDEN))
        .isEqualTo(new OrcaReport(0.5, 0, 0.25, 2, 0, Map.of("a", 1.0), Map.of(), Map.of()));
  }

  @Test
  void aWrittenReportIsReadBack() {
    OrcaReport report =
        new OrcaReport(
            1.5,
            0.25,
            0.75,
            100,
            3,
            Map.of("cost", 3456.32),
            Map.of("util", 0.30499),
            Map.of("x".repeat(200), -1.0, "zero", 0.0));
    assertThat(OrcaReport.parse(report.toBytes())).hasValue(report);
  }

  @Test
  void anEmptyReportHasNoBytes() {
    OrcaReport empty = new OrcaReport(0, 0, 0, 0, 0, Map.of(), Map.of(), Map.of());
    assertThat(empty.toBytes()).isEmpty();
    assertThat(parsed("")).isEqualTo(empty);
  }

  @Test
  void unknownFieldsAndTypesAreIgnored() {
    assertThat(parsed("0801" + "5a0161" + "6d01020304" + "7101020304050607ff" + "8a010161"))
        .isEqualTo(parsed(""));
  }

  @Test
  void anEntryMayLackItsNameOrValueAndContainOtherFields() {
    assertThat(parsed("2a00").utilization()).isEqualTo(Map.of("", 0.0));
    assertThat(parsed("42050a01611801").namedMetrics()).isEqualTo(Map.of("a", 0.0));
  }

  @Test
  void truncatedOrInvalidProtobufIsNotRead() {
    assertThat(isUnreadable("09000000000000e0")).isTrue();
    assertThat(isUnreadable("22ff01")).isTrue();
    assertThat(isUnreadable("22ffffffffffffffffff01")).isTrue();
    assertThat(isUnreadable("0b")).isTrue();
    assertThat(isUnreadable("80")).isTrue();
    assertThat(isUnreadable("ffffffffffffffffffffff01")).isTrue();
    assertThat(isUnreadable("22020a05")).isTrue();
  }

  @Test
  void aReportThatIsTooLongOrHasTooManyNamesIsNotRead() {
    assertThat(OrcaReport.parse(new byte[(64 << 10) + 1])).isEmpty();
    Map<String, Double> many = new LinkedHashMap<>();
    for (int i = 0; i <= 1_000; i++) {
      many.put("" + i, 1.0);
    }
    OrcaReport report = new OrcaReport(0, 0, 0, 0, 0, many, Map.of(), Map.of());
    assertThat(OrcaReport.parse(report.toBytes())).isEmpty();
    many.remove("0");
    OrcaReport fewer = new OrcaReport(0, 0, 0, 0, 0, many, Map.of(), Map.of());
    assertThat(OrcaReport.parse(fewer.toBytes())).hasValue(fewer);
  }
}
