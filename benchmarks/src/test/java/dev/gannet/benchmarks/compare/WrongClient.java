package dev.gannet.benchmarks.compare;

/** A program whose client dies when it is first told to do something. */
final class WrongClient {
  private WrongClient() {}

  public static void main(String[] args) throws Exception {
    System.out.println("ready");
    System.in.read();
    Runtime.getRuntime().halt(3);
  }
}
