package dev.gannet.conformance.h2spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a run of h2spec amounts to: every case has to pass, but for those that are overruled, and
 * these have to fail.
 */
final class SpecVerdict {
  private final List<SpecCase> cases;
  private final Map<String, Overruled> overruled;

  SpecVerdict(List<SpecCase> cases, List<Overruled> overruled) {
    this.cases = cases;
    this.overruled = overruled.stream().collect(Collectors.toMap(Overruled::name, o -> o));
  }

  /** Every case that did not go as it has to, and every case that is missing. */
  List<String> faults(int expectedCases) {
    List<String> faults = new ArrayList<>();
    for (SpecCase played : cases) {
      boolean mustFail = overruled.containsKey(played.name());
      boolean right = mustFail ? played.outcome() == SpecCase.Outcome.FAILED : played.isPassed();
      if (!right) {
        faults.add(faultOf(played, mustFail));
      }
    }
    if (cases.size() != expectedCases) {
      faults.add("%d cases were played, not %d".formatted(cases.size(), expectedCases));
    }
    Map<String, SpecCase> byName =
        cases.stream().collect(Collectors.toMap(SpecCase::name, Function.identity()));
    overruled.keySet().stream()
        .filter(name -> !byName.containsKey(name))
        .forEach(name -> faults.add(name + " is overruled and was not played"));
    return faults;
  }

  private String faultOf(SpecCase played, boolean mustFail) {
    String what =
        mustFail
            ? "has to fail: " + Objects.requireNonNull(overruled.get(played.name())).reason()
            : played.detail().replace("\n", "\n      ");
    return "%s %s: %s%n      %s".formatted(played.name(), played.outcome(), played.title(), what);
  }

  /** The counts, in a line. */
  String summary() {
    Map<SpecCase.Outcome, Long> counts =
        cases.stream().collect(Collectors.groupingBy(SpecCase::outcome, Collectors.counting()));
    return "%d cases: %d passed, %d failed, %d skipped"
        .formatted(
            cases.size(),
            counts.getOrDefault(SpecCase.Outcome.PASSED, 0L),
            counts.getOrDefault(SpecCase.Outcome.FAILED, 0L),
            counts.getOrDefault(SpecCase.Outcome.SKIPPED, 0L));
  }
}
