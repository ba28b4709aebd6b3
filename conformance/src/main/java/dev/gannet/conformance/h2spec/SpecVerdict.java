package dev.gannet.conformance.h2spec;

import dev.gannet.conformance.h2spec.SpecCase.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The result of a run of h2spec: every case must pass, except those that are overruled, which must
 * fail.
 */
final class SpecVerdict {
  private final List<SpecCase> cases;
  private final List<Overruled> overruled;

  SpecVerdict(List<SpecCase> cases, List<Overruled> overruled) {
    this.cases = cases;
    this.overruled = overruled;
  }

  /** Every case with a wrong result, and every case that is missing. */
  List<String> faults(int expectedCases) {
    List<String> faults = new ArrayList<>();
    cases.forEach(played -> faultOf(played).ifPresent(faults::add));
    if (cases.size() != expectedCases) {
      faults.add("%d cases were played, not %d".formatted(cases.size(), expectedCases));
    }
    for (Overruled rule : overruled) {
      if (cases.stream().noneMatch(played -> played.name().equals(rule.name()))) {
        faults.add(rule.name() + " is overruled and was not played");
      }
    }
    return faults;
  }

  private Optional<String> faultOf(SpecCase played) {
    Optional<Overruled> rule =
        overruled.stream().filter(known -> known.name().equals(played.name())).findFirst();
    Outcome wanted = rule.isPresent() ? Outcome.FAILED : Outcome.PASSED;
    String why =
        rule.map(known -> "it has to fail: " + known.reason())
            .orElse(played.detail().replace("\n", "\n      "));
    return played.outcome() == wanted
        ? Optional.empty()
        : Optional.of(
            "%s %s: %s\n      %s".formatted(played.name(), played.outcome(), played.title(), why));
  }

  /** The counts, in a line. */
  String summary() {
    return "%d cases: %d passed, %d failed, %d skipped"
        .formatted(
            cases.size(), count(Outcome.PASSED), count(Outcome.FAILED), count(Outcome.SKIPPED));
  }

  private long count(Outcome outcome) {
    return cases.stream().filter(played -> played.outcome() == outcome).count();
  }
}
