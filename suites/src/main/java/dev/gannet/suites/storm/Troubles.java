package dev.gannet.suites.storm;

import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.suites.Side;
import dev.gannet.suites.SimulatedConnection;
import dev.gannet.suites.SimulatedNetwork;
import dev.gannet.suites.SimulatedNetwork.Reachability;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What befalls the network and the programs of a storm while it lasts. */
final class Troubles {
  /** Kinds of trouble. Those that are gentle keep calls waiting and end none of them. */
  enum Trouble {
    STALL_ONE(true),
    STALL_ALL(true),
    STALL_FOREVER(false),
    CUT_ALL(false),
    CUT_ONE(false),
    RESET(false),
    HALF_CLOSE(false),
    REFUSE(false),
    REPLACE_SERVER(false),
    KILL_SERVER(false),
    SHUT_DOWN_CHANNEL(false),
    KILL_CHANNEL(false),
    CHANGE_ADDRESSES(true),
    FAIL_TO_RESOLVE(false),
    FIND_NAMES_AGAIN(true),
    ENTER_IDLE(true),
    RESET_BACKOFF(true);

    private final boolean gentle;

    Trouble(boolean gentle) {
      this.gentle = gentle;
    }
  }

  private static final long MAX_TROUBLE_NANOS = 1_000_000_000;
  private static final int MAX_TROUBLES = 6;

  private final Odds odds;
  private final SimulatedLoop loop;
  private final SimulatedNetwork network;
  private final Consumer<Trouble> programs;
  private final List<SimulatedConnection> lost = new ArrayList<>();
  private final List<Trouble> planned = new ArrayList<>();
  private boolean calm = true;

  /** Troubles that are still to be planned; those of programs are done by somebody else. */
  Troubles(Odds odds, SimulatedLoop loop, SimulatedNetwork network, Consumer<Trouble> programs) {
    this.odds = odds;
    this.loop = loop;
    this.network = network;
    this.programs = programs;
  }

  /** Whether nothing ends a call but its own two ends. */
  boolean isCalm() {
    return calm;
  }

  void plan(long stormNanos) {
    int strength = odds.below(4);
    if (strength == 0) {
      return;
    }
    for (int left = 1 + odds.below(MAX_TROUBLES); left > 0; left--) {
      Trouble trouble = odds.oneOf(Trouble.values());
      if (trouble.gentle || strength > 1) {
        calm &= trouble.gentle;
        planned.add(trouble);
        loop.schedule(() -> begin(trouble), odds.nanosBelow(stormNanos));
      }
    }
  }

  private void begin(Trouble trouble) {
    switch (trouble) {
      case STALL_ONE -> stallOne();
      case STALL_ALL -> {
        network.stall();
        end(network::resume);
      }
      case STALL_FOREVER -> onSome(this::stallForever);
      case CUT_ALL -> network.cutAll("as planned");
      case CUT_ONE -> onSome(connection -> connection.cut("as planned"));
      case RESET -> onSome(connection -> connection.reset(someSide()));
      case HALF_CLOSE -> onSome(connection -> connection.halfClose(someSide()));
      case REFUSE -> {
        network.setReachability(odds.oneOf(Reachability.values()));
        end(() -> network.setReachability(Reachability.REACHABLE));
      }
      case REPLACE_SERVER,
          KILL_SERVER,
          SHUT_DOWN_CHANNEL,
          KILL_CHANNEL,
          CHANGE_ADDRESSES,
          FAIL_TO_RESOLVE,
          FIND_NAMES_AGAIN,
          ENTER_IDLE,
          RESET_BACKOFF ->
          programs.accept(trouble);
    }
  }

  private void stallOne() {
    onSome(connection -> {
      Side side = someSide();
      connection.stall(side);
      end(() -> connection.resume(side));
    });
  }

  private void stallForever(SimulatedConnection connection) {
    lost.add(connection);
    connection.stall(someSide());
  }

  private void onSome(Consumer<SimulatedConnection> trouble) {
    List<SimulatedConnection> all = network.connections();
    if (!all.isEmpty()) {
      trouble.accept(odds.oneOf(all));
    }
  }

  private Side someSide() {
    return odds.oneOf(Side.values());
  }

  private void end(Runnable end) {
    loop.schedule(end, odds.nanosBelow(MAX_TROUBLE_NANOS));
  }

  /** Gives up what was stalled forever: somebody pulls the plug. */
  void giveUpLostConnections() {
    lost.stream().filter(SimulatedConnection::isOpen).forEach(one -> one.reset(Side.CLIENT));
  }

  @Override
  public String toString() {
    return "troubles " + planned;
  }
}
