package dev.gannet.benchmarks.compare.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.benchmarks.compare.trial.Entrant.Source;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which programs are paired, and which are reported as missing. */
final class PlanTest {
  private static final Roster ROSTER = Roster.of(Optional.empty(), Optional.empty());

  @Test
  void aMissingPeerIsNamedAndItsPairsAreLeftOut() {
    Plan plan = plan("unary-4x10", List.of("gannet-inline", "gannet-virtual", "armeria"));

    assertThat(plan.duels().values())
        .containsExactly(List.of(Duel.parse("gannet-virtual,gannet-inline")));
    assertThat(plan.impossible().values())
        .containsExactly(List.of(Duel.parse("armeria,gannet-inline")));
    assertThat(plan.holes()).containsExactly("armeria is missing: no folder of peers was named");
  }

  @Test
  void aFloorThatWasNotGivenIsNamed() {
    assertThat(Plan.of(wishes("unary-10x20"), ROSTER).holes())
        .contains("floor is missing: no --floor was given");
  }

  @Test
  void aNeutralClientThatIsMissingIsNamed() {
    Plan plan = Plan.of(wishes("unary-10x20"), with(new Source.Missing("it is not there")));

    assertThat(plan.holes()).contains("h2load is missing: it is not there");
    assertThat(plan.duels().values())
        .containsExactly(
            List.of(
                Duel.parse("gannet-virtual,gannet-inline"),
                Duel.parse("gannet-pool,gannet-inline"),
                Duel.parse("gannet-inline-observed,gannet-inline"),
                Duel.parse("gannet-virtual-observed,gannet-inline")));
  }

  @Test
  void eachServerIsComparedWithInlineGannet() {
    Plan plan = plan("unary-4x10", List.of("gannet-pool", "gannet-inline", "gannet-virtual"));

    assertThat(plan.duels().values())
        .containsExactly(
            List.of(
                Duel.parse("gannet-pool,gannet-inline"),
                Duel.parse("gannet-virtual,gannet-inline")));
  }

  @Test
  void eachPolicyIsComparedWithNoneAndWithThatOfGrpcJava() {
    assertThat(plan("three-servers", List.of()).impossible().values())
        .containsExactly(
            List.of(
                Duel.parse("gannet-inline/grpc-java-round-robin,gannet-inline/gannet-round-robin"),
                Duel.parse("gannet-inline/grpc-java-retries,gannet-inline/gannet-retries")));
    assertThat(plan("three-servers", List.of()).duels().values())
        .containsExactly(
            List.of(
                Duel.parse("gannet-inline/gannet-round-robin,gannet-inline/gannet"),
                Duel.parse("gannet-inline/gannet-retries,gannet-inline/gannet"),
                Duel.parse("gannet-inline/gannet-round-robin,gannet-inline/gannet-in-turn")));
  }

  @Test
  void requestedPairsAreTheOnlyOnes() {
    Plan plan =
        Plan.of(
            new Plan.Wishes(
                List.of("tls"),
                List.of(),
                List.of(),
                List.of("gannet-pool/gannet,gannet-virtual"),
                false),
            ROSTER);

    assertThat(plan.duels().values())
        .containsExactly(List.of(Duel.parse("gannet-pool,gannet-virtual/gannet")));
  }

  @Test
  void aProgramThatCannotDoAWorkloadIsNamed() {
    Plan plan =
        Plan.of(
            new Plan.Wishes(
                List.of("tls"),
                List.of("gannet-inline", "gannet-virtual"),
                List.of("h2load"),
                List.of(),
                false),
            with(new Source.Tool("h2load")));

    assertThat(plan.duels().values()).containsExactly(List.of());
    assertThat(plan.holes()).containsExactly("h2load cannot do tls");
  }

  @Test
  void idleConnectionsAreOpenedByTheRawClient() {
    Plan plan = plan("idle-connections", List.of("gannet-virtual", "gannet-inline"));

    assertThat(plan.duels().values())
        .containsExactly(List.of(Duel.parse("gannet-virtual/raw,gannet-inline/raw")));
  }

  @Test
  void aClientThatMakesCallsHasNoPartInIdleConnections() {
    Plan plan =
        Plan.of(
            new Plan.Wishes(
                List.of("idle-connections"),
                List.of(),
                List.of(),
                List.of("gannet-pool,gannet-inline/raw"),
                false),
            ROSTER);

    assertThat(plan.duels().values()).containsExactly(List.of());
    assertThat(plan.holes())
        .containsExactly("idle-connections has no client but raw: gannet-pool/gannet");
  }

  @Test
  void everyWorkloadHasPairsOfItsOwn() {
    for (Workload workload : Workloads.all()) {
      assertThat(DuelTable.of(workload, ROSTER, false)).as(workload.name()).isNotEmpty();
    }
  }

  @Test
  void onRequestAllLibrariesAreInEveryWorkload() {
    List<Workload> ofLibraries = Workloads.all().stream().filter(it -> it.servers() == 1).toList();
    for (Workload workload : ofLibraries) {
      assertThat(DuelTable.of(workload, ROSTER, true).stream().map(it -> it.first().server()))
          .as(workload.name())
          .contains("grpc-java-default", "helidon");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a,b,c", "a/b/c,d", "a/b,a/b"})
  void invalidPairsAreRefused(String text) {
    assertThatThrownBy(() -> Duel.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anUnknownNameIsRefusedWithTheListOfNames() {
    assertThatThrownBy(() -> plan("unary-4x10", List.of("gannet-inline", "nobody")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nobody")
        .hasMessageContaining("gannet-virtual");
  }

  @Test
  void aComparisonNeedsTwoPrograms() {
    assertThatThrownBy(() -> plan("unary-4x10", List.of("gannet-inline")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs two");
  }

  private static Plan plan(String workload, List<String> servers) {
    return Plan.of(
        new Plan.Wishes(List.of(workload), servers, List.of(), List.of(), false), ROSTER);
  }

  /** The same machine with or without h2load. */
  private static Roster with(Source h2load) {
    Stream<Entrant> others = ROSTER.clients().stream().filter(it -> !it.name().equals("h2load"));
    Entrant tool = new Entrant("h2load", h2load, Entrant.Reach.PLAIN);
    return new Roster(ROSTER.servers(), Stream.concat(others, Stream.of(tool)).toList());
  }

  private static Plan.Wishes wishes(String workload) {
    return new Plan.Wishes(List.of(workload), List.of(), List.of(), List.of(), false);
  }
}
