package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.wire.Ending;
import dev.gannet.conformance.gauntlet.wire.Pace;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Reading;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * One attacker's access to the server: opens connections, as often as it is allowed to, and records
 * how they end. Used by the attacker's thread only, except for {@link #close}.
 */
public final class Front implements AutoCloseable {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Victim victim;
  private final Pace pace;
  private final Tally tally;
  private final long reconnectNanos;
  private final int attackers;
  private final Queue<RawConnection> connections = new ConcurrentLinkedQueue<>();
  private long nextTurnNanos = System.nanoTime();
  private volatile boolean over;

  Front(Victim victim, Pace pace, Tally tally, long reconnectNanos, int attackers) {
    this.victim = victim;
    this.pace = pace;
    this.tally = tally;
    this.reconnectNanos = reconnectNanos;
    this.attackers = attackers;
  }

  /** Whether something was sent over a connection that is still open. */
  boolean hasSent() {
    return connections.stream().anyMatch(it -> it.sentBytes() > 0);
  }

  /** Whether it is time to stop. */
  boolean isOver() {
    return over;
  }

  /** Whether there is a connection left to attack over, and time. */
  boolean goesOn(RawConnection connection) {
    return !over && connection.isOpen();
  }

  /** This attacker's part of the results of all attackers. */
  int partOf(int all) {
    return Math.max(1, all / attackers);
  }

  /** A connection from this local address that has sent its preface and reads everything. */
  RawConnection connectFrom(InetSocketAddress here) throws IOException {
    RawConnection connection = open(victim.plaintext(), here, Reading.EAGER);
    connection.begin();
    return connection;
  }

  /** Counts how a connection has ended and forgets it, because another one replaces it. */
  void replace(RawConnection connection) {
    connection.close();
    connection.ending().ifPresent(tally::count);
    tally.countSent(connection.sentBytes());
    connections.remove(connection);
  }

  /** A connection that has sent its preface and these settings, and reads everything. */
  RawConnection connect(int... settings) throws IOException {
    return connect(Reading.EAGER, settings);
  }

  /** A connection that has sent its preface and these settings. */
  RawConnection connect(Reading reading, int... settings) throws IOException {
    RawConnection connection = open(victim.plaintext(), reading);
    connection.begin(settings);
    return connection;
  }

  /** A connection on which nothing was sent yet. */
  RawConnection connectSilently() throws IOException {
    return open(victim.plaintext(), Reading.EAGER);
  }

  /** A connection with TLS that has sent its preface and first settings. */
  RawConnection connectOverTls() throws IOException {
    RawConnection connection = open(RawConnection::openTls, victim.tls(), Reading.EAGER);
    connection.begin();
    return connection;
  }

  /** A connection to the TLS port on which nothing was sent yet. */
  RawConnection connectToTls() throws IOException {
    return open(victim.tls(), Reading.EAGER);
  }

  /** Does nothing for a while. */
  void pauseMillis(long millis) {
    long endNanos = System.nanoTime() + millis * NANOS_PER_MILLI;
    while (!over && endNanos - System.nanoTime() > 0) {
      LockSupport.parkNanos(Math.min(10 * NANOS_PER_MILLI, endNanos - System.nanoTime()));
    }
  }

  /** Repeats the attack until the time is over. */
  void attackWith(Attack attack) {
    while (!over) {
      pauseMillis(Math.max(0, nextTurnNanos - System.nanoTime()) / NANOS_PER_MILLI);
      nextTurnNanos = System.nanoTime() + reconnectNanos;
      try {
        attack.attack(this);
      } catch (IOException e) {
        // The server has closed the connection, or we have; the tally distinguishes both.
      } catch (RuntimeException e) {
        tally.breakWith(e);
        over = true;
      } finally {
        settle();
      }
    }
  }

  /** Ends the attack, even if its thread is waiting. */
  @Override
  public void close() {
    over = true;
    connections.forEach(RawConnection::close);
  }

  /** A way to connect. */
  private interface Opening {
    RawConnection open(InetSocketAddress server, Reading reading, Pace pace) throws IOException;
  }

  private RawConnection open(InetSocketAddress server, Reading reading) throws IOException {
    return open(RawConnection::open, server, reading);
  }

  private RawConnection open(InetSocketAddress server, InetSocketAddress here, Reading reading)
      throws IOException {
    return open((to, how, at) -> RawConnection.open(to, here, how, at), server, reading);
  }

  private RawConnection open(Opening opening, InetSocketAddress server, Reading reading)
      throws IOException {
    try {
      RawConnection connection = opening.open(server, reading, pace);
      tally.countOpened();
      connections.add(connection);
      if (over) {
        connection.close();
      }
      return connection;
    } catch (IOException e) {
      tally.count(new Ending.Refused());
      throw e;
    }
  }

  private void settle() {
    for (RawConnection it = connections.poll(); it != null; it = connections.poll()) {
      it.ending().ifPresent(tally::count);
      it.close();
      tally.countSent(it.sentBytes());
    }
  }
}
