package dev.gannet.conformance.interop;

import dev.gannet.api.Channel;

/** One case of the interop tests: calls over a channel, and checks of their results. */
@FunctionalInterface
interface InteropCase {
  /**
   * Runs the case.
   *
   * @throws Mismatch if a result is wrong
   */
  void run(Channel channel, InteropCases.Setting setting) throws Exception;
}
