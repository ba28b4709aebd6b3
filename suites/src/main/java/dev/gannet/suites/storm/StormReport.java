package dev.gannet.suites.storm;

import dev.gannet.api.Status;
import java.util.Map;

/**
 * What came of a storm in which every rule held.
 *
 * @param calls how its calls ended, at their clients
 * @param connections how many connections were made; 0 in process, as the two next numbers
 * @param resets how many streams either side has reset
 * @param goAways how often either side has said that it goes away
 * @param digest the same for each play of one storm
 */
public record StormReport(
    Map<Status.Code, Integer> calls, int connections, int resets, int goAways, long digest) {
  /** Takes a copy. */
  public StormReport {
    calls = Map.copyOf(calls);
  }
}
