package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Attack;
import dev.gannet.conformance.gauntlet.attack.Attacks;
import dev.gannet.conformance.gauntlet.attack.RunningAttack;
import dev.gannet.conformance.gauntlet.attack.Tally;
import dev.gannet.conformance.gauntlet.attack.Victim;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command that attacks a server until its input ends. Prints its state for each line of input,
 * and once more at the end.
 */
@Command(
    name = "gauntlet-attack",
    mixinStandardHelpOptions = true,
    hidden = true,
    description = "Attacks a server until its input ends.")
public final class AttackCommand implements Callable<Integer> {
  @Option(names = "--attack", required = true, description = "The name of the attack.")
  private String name = "";

  @Option(names = "--attackers", defaultValue = "1", description = "The number of attackers.")
  private int attackers;

  @Option(names = "--port", required = true, description = "The port of the server.")
  private int port;

  @Option(names = "--tls-port", required = true, description = "The port of the server for TLS.")
  private int tlsPort;

  /** A command whose options are still to be read. */
  public AttackCommand() {}

  @Override
  public Integer call() throws IOException {
    Attack attack = Attacks.named(name).orElseThrow();
    try (BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        RunningAttack assault =
            RunningAttack.start(attack, Victim.onLoopback(port, tlsPort), attackers)) {
      System.out.println("attacking");
      while (in.readLine() != null) {
        print(assault.tally());
      }
      assault.end();
      print(assault.tally());
    }
    return 0;
  }

  private static void print(Tally tally) {
    tally.endings().forEach((words, count) -> System.out.println("ending " + count + " " + words));
    System.out.println(
        "opened %d ended %d sent %d".formatted(tally.opened(), tally.ended(), tally.sentBytes()));
  }
}
