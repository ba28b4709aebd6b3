package dev.gannet.conformance.gauntlet;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Where one server is attacked, trial after trial: starts it, has honest clients call it, and
 * starts it anew when it has fallen. Of one thread.
 */
final class Range implements AutoCloseable {
  /** A server and those who call it. */
  private record Site(ServerProgram server, HonestLoad load) implements AutoCloseable {
    @Override
    public void close() {
      load.close();
      server.close();
    }
  }

  private final ServerKind kind;
  private final int callsPerSecond;
  private final Duration warmUp;
  private Optional<Site> site = Optional.empty();

  Range(ServerKind kind, int callsPerSecond, Duration warmUp) {
    this.kind = kind;
    this.callsPerSecond = callsPerSecond;
    this.warmUp = warmUp;
  }

  Row run(Trial trial) throws IOException, InterruptedException {
    Site here = standing();
    try {
      return Row.of(kind, trial.run(here.server, here.load));
    } catch (IOException e) {
      String words = here.server.isAlive() ? e.toString() : "the process has ended";
      close();
      return Row.ofCollapse(kind, trial.dossier(), trial.attackers(), words);
    }
  }

  @Override
  public void close() {
    site.ifPresent(Site::close);
    site = Optional.empty();
  }

  private Site standing() throws IOException, InterruptedException {
    if (site.filter(it -> it.server.isAlive()).isEmpty()) {
      close();
      ServerProgram server = ServerProgram.start(kind);
      site = Optional.of(new Site(server, HonestLoad.start(server.port(), callsPerSecond)));
      TimeUnit.NANOSECONDS.sleep(warmUp.toNanos());
    }
    return site.orElseThrow();
  }
}
