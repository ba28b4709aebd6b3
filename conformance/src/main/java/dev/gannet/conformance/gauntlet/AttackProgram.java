package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Attack;
import dev.gannet.conformance.process.JavaCommands;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Attackers in a separate process. Confined to one thread. */
final class AttackProgram implements AutoCloseable {
  /**
   * Real attackers have machines of their own: here they get the processor time that other programs
   * leave.
   */
  private static final List<String> GIVING_WAY = List.of("nice", "-n", "19");

  private static final Pattern ATTACKING = Pattern.compile("attacking");
  private static final Pattern TALLY =
      Pattern.compile("ending (\\d+) (.*)|opened (\\d+) ended (\\d+) sent (\\d+)");

  private final ChildProgram program;

  private AttackProgram(ChildProgram program) {
    this.program = program;
  }

  /** Begins to attack. */
  static AttackProgram start(Attack attack, int attackers, ServerProgram server)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(GIVING_WAY);
    command.addAll(
        JavaCommands.oursQuickly(
            "gauntlet-attack",
            "--attack=" + attack.description().name(),
            "--attackers=" + attackers,
            "--port=" + server.port(),
            "--tls-port=" + server.tlsPort()));
    ChildProgram program = ChildProgram.start(command);
    program.await(ATTACKING);
    return new AttackProgram(program);
  }

  /** The present state; bytes of connections that are still open do not count. */
  AttackFigures ask() throws IOException, InterruptedException {
    program.tell("?");
    return read();
  }

  /** Ends the attack. */
  AttackFigures finish() throws IOException, InterruptedException {
    program.endInput();
    return read();
  }

  @Override
  public void close() {
    program.close();
  }

  private AttackFigures read() throws IOException, InterruptedException {
    Map<String, Long> endings = new TreeMap<>();
    while (true) {
      Matcher said = program.await(TALLY);
      if (said.group(3) != null) {
        return new AttackFigures(
            Long.parseLong(said.group(3)),
            Long.parseLong(said.group(4)),
            Long.parseLong(said.group(5)),
            endings);
      }
      endings.put(said.group(2), Long.parseLong(said.group(1)));
    }
  }
}
