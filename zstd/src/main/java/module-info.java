/** Messages compressed with Zstandard. */
module dev.gannet.zstd {
  requires com.github.luben.zstd_jni;
  requires transitive dev.gannet.api;
  requires static org.jspecify;

  exports dev.gannet.zstd;
}
