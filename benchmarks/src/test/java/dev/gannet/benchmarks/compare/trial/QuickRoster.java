package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.QuickStart;
import dev.gannet.benchmarks.compare.process.Program;
import java.util.List;
import java.util.Optional;

/** The servers and clients that are here without peers, as programs that start quickly. */
public final class QuickRoster {
  private static final List<String> IMPATIENT = List.of("--patience-millis", "1000");

  private QuickRoster() {}

  public static Roster of(QuickStart quickStart) {
    Roster real = Roster.of(Optional.empty(), Optional.empty());
    return new Roster(
        real.servers().stream().map(it -> quick(it, quickStart, List.of())).toList(),
        real.clients().stream().map(it -> quick(it, quickStart, IMPATIENT)).toList());
  }

  private static Entrant quick(Entrant entrant, QuickStart quickStart, List<String> more) {
    if (!(entrant.source() instanceof Entrant.Source.Built(Program program))) {
      return entrant;
    }
    Program quick = quickStart.of(program.mainClass(), program.arguments());
    return new Entrant(entrant.name(), new Entrant.Source.Built(quick.with(more)), entrant.reach());
  }
}
