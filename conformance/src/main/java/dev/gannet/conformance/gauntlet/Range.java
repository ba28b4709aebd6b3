package dev.gannet.conformance.gauntlet;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs the trials on one server: starts it, has honest clients call it, and starts it again after a
 * failure; the same for the decoy, which is called only during its warm-up. Confined to one thread.
 */
final class Range implements AutoCloseable {
  /** A server and its callers. */
  private record Site(ServerProgram server, HonestLoad load) implements AutoCloseable {
    @Override
    public void close() {
      load.close();
      server.close();
    }
  }

  private final ServerKind kind;
  private final List<String> jvmOptions;
  private final int callsPerSecond;
  private final Duration warmUp;
  private Optional<Site> site = Optional.empty();
  private Optional<ServerProgram> decoy = Optional.empty();

  Range(ServerKind kind, List<String> jvmOptions, int callsPerSecond, Duration warmUp) {
    this.kind = kind;
    this.jvmOptions = jvmOptions;
    this.callsPerSecond = callsPerSecond;
    this.warmUp = warmUp;
  }

  Row run(Trial trial) throws IOException, InterruptedException {
    Runs runs = Runs.NONE;
    while (runs.wantAnother()) {
      Site here = standing(trial);
      try {
        Optional<ServerProgram> beside = trial.wantsDecoy() ? decoy : Optional.empty();
        runs = runs.and(trial.run(here.server, here.load, beside));
      } catch (IOException e) {
        String words = here.server.isAlive() ? e.toString() : "the process has ended";
        close();
        return Row.ofCollapse(kind, trial.description(), trial.attackers(), words);
      }
    }
    return Row.of(kind, trial, runs);
  }

  @Override
  public void close() {
    site.ifPresent(Site::close);
    site = Optional.empty();
    decoy.ifPresent(ServerProgram::close);
    decoy = Optional.empty();
  }

  private Site standing(Trial trial) throws IOException, InterruptedException {
    boolean fallen = site.filter(it -> it.server.isAlive()).isEmpty();
    if (fallen) {
      close();
      ServerProgram server = ServerProgram.start(kind.command(jvmOptions));
      site = Optional.of(new Site(server, HonestLoad.start(server.port(), callsPerSecond)));
    }
    if (trial.wantsDecoy() && decoy.filter(ServerProgram::isAlive).isEmpty()) {
      startDecoy();
    } else if (fallen) {
      warmUp();
    }
    return site.orElseThrow();
  }

  /**
   * Warms the decoy up like the server: otherwise what it compiles later would be blamed on the
   * attackers.
   */
  private void startDecoy() throws IOException, InterruptedException {
    decoy.ifPresent(ServerProgram::close);
    ServerProgram started = ServerProgram.start(kind.command(jvmOptions));
    decoy = Optional.of(started);
    HonestLoad practice = HonestLoad.start(started.port(), callsPerSecond);
    try {
      warmUp();
    } finally {
      practice.close();
    }
  }

  private void warmUp() throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(warmUp.toNanos());
  }
}
