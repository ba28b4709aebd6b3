package dev.gannet.benchmarks.load;

/** One caller who begins a call as soon as the one before has ended, until the run is over. */
sealed interface Loop
    permits AsyncStreamLoop,
        AsyncUnaryLoop,
        BlockingStreamLoop,
        BlockingUnaryLoop,
        ServerStreamLoop {
  /** Begins the first call and returns at once. */
  void start();
}
