package dev.gannet.benchmarks.compare.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.benchmarks.compare.process.Program;
import dev.gannet.benchmarks.compare.trial.BaselineComparison.Pair;
import dev.gannet.benchmarks.compare.trial.Entrant.Reach;
import dev.gannet.benchmarks.compare.trial.Entrant.Source;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which build each side of a pair is of. */
final class BaselineComparisonTest {
  private static final String OLD = "old.jar";
  private static final String NEW = "new.jar";
  private static final Entrant RAW = new Entrant("raw", new Source.Own(), Reach.CONNECTIONS);
  private static final Entrant H2LOAD =
      new Entrant("h2load", new Source.Tool("/bin/h2load"), Reach.PLAIN);
  private static final Entrant NO_H2LOAD =
      new Entrant("h2load", new Source.Missing("it is not there"), Reach.PLAIN);

  static List<Workload> workloads() {
    return Workloads.all();
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void theBaselineIsComparedWithItself(Workload workload) {
    for (BaselineComparison comparison : of(workload, H2LOAD)) {
      for (Pair pair : List.of(comparison.baseline(), comparison.control())) {
        assertThat(classPath(pair.server())).isEqualTo(OLD);
        assertThat(classPath(pair.client())).isIn(OLD, "");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void everyJudgedProgramIsComparedWithTheBaseline(Workload workload) {
    for (BaselineComparison comparison : of(workload, H2LOAD)) {
      comparison
          .judged()
          .forEach((judged, pair) -> {
            boolean isClient = judged == Judged.CLIENT;
            assertThat(classPath(pair.server())).isEqualTo(isClient ? OLD : NEW);
            assertThat(classPath(pair.client())).isIn(isClient ? List.of(NEW) : List.of(OLD, ""));
          });
    }
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void noTwoPairsShareAServer(Workload workload) {
    for (BaselineComparison comparison : of(workload, H2LOAD)) {
      List<String> names = comparison.pairs().stream().map(it -> it.server().name()).toList();

      assertThat(new HashSet<>(names)).hasSameSizeAs(names);
    }
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void everyProgramOfAWorkloadIsJudged(Workload workload) {
    List<Judged> judged =
        of(workload, H2LOAD).stream().flatMap(it -> it.judged().keySet().stream()).toList();

    switch (workload.name()) {
      case "first-call" -> assertThat(judged).containsExactly(Judged.CLIENT);
      case "idle-connections" ->
          assertThat(judged).containsExactly(Judged.SERVER_INLINE, Judged.SERVER_VIRTUAL);
      default -> assertThat(judged).containsExactlyInAnyOrder(Judged.values());
    }
  }

  @Test
  void h2loadIsUsedIfItIsAvailableAndTheBaselineClientOtherwise() {
    Workload workload = Workloads.named("unary-10x20").orElseThrow();

    assertThat(of(workload, H2LOAD).getFirst().pairs())
        .allSatisfy(it -> assertThat(it.client()).isEqualTo(H2LOAD));
    assertThat(of(workload, NO_H2LOAD).getFirst().baseline().client().name()).isEqualTo("baseline");
  }

  private static List<BaselineComparison> of(Workload workload, Entrant neutral) {
    return BaselineComparison.of(
        workload,
        new BaselineComparison.Sources(new GannetBuild(OLD), new GannetBuild(NEW), neutral, RAW));
  }

  /** Empty for what is of no build. */
  private static String classPath(Entrant entrant) {
    return entrant.source() instanceof Source.Built(Program program) ? program.classPath() : "";
  }
}
