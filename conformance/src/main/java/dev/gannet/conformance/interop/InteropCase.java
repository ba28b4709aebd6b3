package dev.gannet.conformance.interop;

import dev.gannet.api.Channel;

/** One case of the interop tests: calls over a channel, and what must come of them. */
@FunctionalInterface
interface InteropCase {
  /**
   * Runs the case.
   *
   * @throws Mismatch if something else came than what must come
   */
  void run(Channel channel, InteropCases.Setting setting) throws Exception;
}
