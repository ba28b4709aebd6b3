/** What every measured program shares, whatever library it measures. */
module dev.gannet.benchmarks.harness {
  requires transitive HdrHistogram;
  requires java.management;
  requires jdk.management;
  requires static org.jspecify;

  exports dev.gannet.benchmarks.harness;
}
