package dev.gannet.conformance.gauntlet.attack;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All attacks, in the order of the tables. */
public final class Attacks {
  private static final List<Attack> ALL =
      Stream.of(
              RapidReset.values(),
              ExcusedReset.values(),
              MadeYouReset.values(),
              ContinuationFlood.values(),
              ControlFlood.values(),
              StrayFrames.values(),
              HeaderBomb.values(),
              new Attack[] {
                new HpackIntegers(), new HpackThrash(), new StateSplit(), new WindowOverflow()
              },
              WindowGames.values(),
              ManyStreams.values(),
              new Attack[] {new ManyConnections()},
              SmallHolders.values(),
              new Attack[] {new OpenCalls()},
              Slowloris.values(),
              TlsFlood.values(),
              StalledReader.values(),
              GreedyCalls.values(),
              MessageLies.values(),
              GreedyMessages.values())
          .flatMap(Arrays::stream)
          .toList();

  private Attacks() {}

  /** All attacks. */
  public static List<Attack> all() {
    return ALL;
  }

  /** The attack with this name. */
  public static Optional<Attack> named(String name) {
    return ALL.stream().filter(it -> it.description().name().equals(name)).findAny();
  }
}
