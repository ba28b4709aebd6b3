package dev.gannet.benchmarks.peers.grpcjava;

import dev.gannet.benchmarks.harness.ClientProgram;

/** grpc-java's client. */
public final class GrpcJavaClient {
  private GrpcJavaClient() {}

  public static void main(String[] args) throws Exception {
    long mainNanos = System.nanoTime();
    ClientProgram.run(args, mainNanos, GrpcJavaTarget::connect);
  }
}
