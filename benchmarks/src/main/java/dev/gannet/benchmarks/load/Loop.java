package dev.gannet.benchmarks.load;

/** One caller that starts a call as soon as its previous call has ended, until the run is over. */
sealed interface Loop
    permits AsyncStreamLoop,
        AsyncUnaryLoop,
        BlockingStreamLoop,
        BlockingUnaryLoop,
        ServerStreamLoop {
  /** Begins the first call and returns at once. */
  void start();
}
