/** What generated code, interceptors and libraries touch. */
module dev.gannet.api {
  requires static org.jspecify;
}
