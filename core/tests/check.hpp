// A test framework in fifty lines: TEST("sentence") { CHECK(...); CHECK_EQUAL(got, wanted); }
#pragma once

#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// Clang tells by __has_feature which sanitizer is on, g++ by macros.
#if defined(__clang__)
#define CHECK_HAS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#define CHECK_HAS_THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#define CHECK_HAS_ADDRESS_SANITIZER __SANITIZE_ADDRESS__
#define CHECK_HAS_THREAD_SANITIZER __SANITIZE_THREAD__
#endif

namespace check {

struct Test {
    std::string name;
    std::function<void()> body;
};
inline std::vector<Test>& all() {
    static std::vector<Test> tests;
    return tests;
}
inline int& failures() {
    static int count = 0;
    return count;
}
struct Registrar {
    Registrar(const char* name, std::function<void()> body) { all().push_back({name, std::move(body)}); }
};

inline void fail(const char* file, int line, const std::string& what) {
    ++failures();
    std::cerr << "  " << file << ":" << line << ": " << what << "\n";
}

template <class A, class B>
void equal(const A& got, const B& wanted, const char* text, const char* file, int line) {
    if (got == wanted) return;
    std::ostringstream out;
    out << text << ": got " << got << ", wanted " << wanted;
    fail(file, line, out.str());
}

}  // namespace check

#define CHECK_JOIN_(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN_(a, b)
#define TEST(name)                                                                                     \
    static void CHECK_JOIN(test_, __LINE__)();                                                         \
    static const check::Registrar CHECK_JOIN(registrar_, __LINE__)(name, CHECK_JOIN(test_, __LINE__)); \
    static void CHECK_JOIN(test_, __LINE__)()
#define CHECK(condition) \
    if (!(condition)) check::fail(__FILE__, __LINE__, #condition)
#define CHECK_EQUAL(got, wanted) check::equal(got, wanted, #got, __FILE__, __LINE__)
