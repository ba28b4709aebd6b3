package dev.gannet.conformance.longrun;

import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command that calls a server for a long time and compares the resources of the process in the
 * last third of that time with those in the first. Exits with 1 if a rule did not hold.
 */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    description =
        "Calls of all kinds over TLS, some cancelled, some late for their deadline, while"
            + " connections reach their maximum age, others are made and closed, and the server's"
            + " certificate is replaced every second. No call may fail, and heap, threads and"
            + " descriptors stay flat.")
public final class Soak implements Callable<Integer> {
  private static final Duration CONNECTION_AGE = Duration.ofSeconds(10);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
  private static final int SAMPLES = 60;
  private static final Logger CERTIFICATES = Logger.getLogger("dev.gannet.transport.netty");
  private static final int SECONDS_PER_MINUTE = 60;
  private static final int THIRDS = 3;
  private static final int EXAMPLES = 3;
  private static final double GROWTH = 1.1;
  private static final double SPARE_HEAP_MIB = 4;
  private static final double SPARE_THREADS = 4;
  private static final double SPARE_DESCRIPTORS = 16;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "30",
      description = "The duration; may be a fraction (default: ${DEFAULT-VALUE}).")
  private double minutes;

  /** A command whose options are still to be read. */
  public Soak() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    int seconds = (int) (minutes * SECONDS_PER_MINUTE);
    if (seconds < THIRDS) {
      throw new ParameterException(spec.commandLine(), "--minutes must be 0.05 or more");
    }
    CERTIFICATES.setLevel(Level.WARNING); // not a line for each new certificate
    Findings findings = new Findings(spec.commandLine().getOut());
    try (RotatedCertificates certificates = RotatedCertificates.make();
        Server server = serve(certificates)) {
      SoakCalls calls = new SoakCalls(server.port(), certificates.trust());
      List<Usage> samples = watch(seconds, certificates, calls, findings);
      calls.end();
      conclude(certificates, calls, samples, findings);
    }
    return findings.conclude();
  }

  private static Server serve(RotatedCertificates certificates) throws IOException {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .credentials(
            ServerCredentials.tls(
                TlsIdentity.of(
                    Pem.reloaded(certificates.certificate(), BETWEEN_LOOKS),
                    Pem.reloaded(certificates.key(), BETWEEN_LOOKS))))
        .maxConnectionAge(CONNECTION_AGE)
        .add(new SoakService())
        .start();
  }

  private static List<Usage> watch(
      int seconds, RotatedCertificates certificates, SoakCalls calls, Findings findings)
      throws IOException, InterruptedException {
    int secondsPerSample = Math.max(1, seconds / SAMPLES);
    List<Usage> samples = new ArrayList<>();
    for (int i = 1; i <= seconds; i++) {
      TimeUnit.SECONDS.sleep(1);
      certificates.rotate();
      if (i % secondsPerSample == 0) {
        Usage usage = Usage.now();
        samples.add(usage);
        findings.say(usage + "; calls " + calls.counts() + ", failed " + calls.failures().size());
      }
    }
    return samples;
  }

  private static void conclude(
      RotatedCertificates certificates, SoakCalls calls, List<Usage> samples, Findings findings) {
    List<String> failures = calls.failures();
    findings.rule(
        "no call failed, but those that were meant to",
        failures.isEmpty() && !calls.counts().isEmpty(),
        "%d failed %s; %s; %d certificates"
            .formatted(
                failures.size(),
                failures.stream().limit(EXAMPLES).toList(),
                calls.counts(),
                certificates.rotations()));
    int third = samples.size() / THIRDS;
    Usage first = Usage.mean(samples.subList(0, third));
    Usage last = Usage.mean(samples.subList(samples.size() - third, samples.size()));
    findings.rule(
        "heap after collections, threads and descriptors are flat",
        last.heapMib() <= first.heapMib() * GROWTH + SPARE_HEAP_MIB
            && last.threads() <= first.threads() + SPARE_THREADS
            && last.descriptors() <= first.descriptors() * GROWTH + SPARE_DESCRIPTORS,
        "first third: " + first + "; last third: " + last);
  }
}
