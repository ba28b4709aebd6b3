package dev.gannet.conformance.gauntlet;

import static dev.gannet.conformance.gauntlet.Outcomes.beside;
import static dev.gannet.conformance.gauntlet.Outcomes.course;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.conformance.gauntlet.attack.Attack;
import dev.gannet.conformance.gauntlet.attack.Attacks;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a row of the table says. */
final class TableTest {
  @Test
  void aRowHasACellForEachColumnOfTheHead() {
    StringWriter head = new StringWriter();
    Table.printHead(new PrintWriter(head), ServerKind.GANNET);
    List<String> lines = head.toString().lines().filter(it -> it.startsWith("|")).toList();
    int columns = cells(lines.getFirst()).size();
    assertThat(cells(lines.getLast())).hasSize(columns);
    assertThat(cells(row(course(1, beside(1), 1)))).hasSize(columns);
    assertThat(cells(line(Row.ofCollapse(ServerKind.GANNET, Outcomes.pingFlood(), 1, "dead"))))
        .hasSize(columns);
  }

  @Test
  void p99IsShownAloneThenWithADecoyThenAttacked() {
    assertThat(cells(row(course(0.5, beside(1.5), 1.8)))).contains("0.50 → 1.50 → 1.80");
  }

  @Test
  void withoutADecoyP99IsShownAloneThenAttacked() {
    assertThat(cells(row(course(0.5, new Control.None(), 1.8)))).contains("0.50 → 1.80");
  }

  @Test
  void aRowSaysThatItsDecoyFellThoughNoBarIsMissed() {
    assertThat(cells(row(course(0.5, new Control.Lost("the decoy crashed"), 1.8))))
        .contains("0.50 → (the decoy crashed) → 1.80")
        .endsWith("–");
  }

  @Test
  void aRowOfThreeRunsShowsTheMedianRun() {
    Outcome slow = Outcomes.outcome(course(1, beside(1), 5));
    Outcome slower = Outcomes.outcome(course(1, beside(1), 6));
    Outcome slowest = Outcomes.outcome(course(1, beside(1), 7));
    assertThat(cells(row(Runs.NONE.and(slow).and(slowest).and(slower))))
        .startsWith("ping-flood x 1")
        .contains("1.00 → 1.00 → 6.00 (3 runs)");
  }

  private static String row(HonestCourse honest) {
    return row(Runs.NONE.and(Outcomes.outcome(honest)));
  }

  private static String row(Runs runs) {
    Attack attack = Attacks.named("ping-flood").orElseThrow();
    return line(Row.of(ServerKind.GANNET, new Trial(attack, 1, Schedule.WHOLE), runs));
  }

  private static String line(Row row) {
    StringWriter line = new StringWriter();
    Table.print(new PrintWriter(line), row);
    return line.toString().strip();
  }

  private static List<String> cells(String line) {
    return List.of(line.substring(1, line.length() - 1).split("\\|", -1)).stream()
        .map(String::strip)
        .toList();
  }
}
